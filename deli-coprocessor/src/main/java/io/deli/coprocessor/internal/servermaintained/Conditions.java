package io.deli.coprocessor.internal.servermaintained;

import java.io.IOException;
import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;

/** What decided the conditional writes of a region, of each thread's last one. Thread-safe. */
final class Conditions {
  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; it ends with the thread's next one
  private final ThreadLocal<WeakReference<CheckAndMutate>> expected = new ThreadLocal<>();

  Conditions(RegionPlace place) {
    this.place = place;
  }

  /** Expects the mutations of a conditional write, by the thread that locked its row. */
  void expect(CheckAndMutate conditional) {
    expected.set(new WeakReference<>(conditional));
  }

  /** The timestamp of the value that decided a Put, whose row is still locked; 0 if none did. */
  long newestRead(Mutation mutation) throws IOException {
    WeakReference<CheckAndMutate> last = expected.get();
    CheckAndMutate conditional = last == null ? null : last.get();
    return mutation instanceof Put && conditional != null && decides(conditional, mutation)
        ? place.newestRead(conditional)
        : 0;
  }

  /** By identity: another write of the row may be equal, and have no condition. */
  private static boolean decides(CheckAndMutate conditional, Mutation mutation) {
    return conditional.getAction() instanceof RowMutations several
        ? several.getMutations().stream().anyMatch(each -> each == mutation)
        : conditional.getAction() == mutation;
  }
}
