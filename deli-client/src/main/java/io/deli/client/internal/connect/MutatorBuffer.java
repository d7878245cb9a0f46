package io.deli.client.internal.connect;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;

/** Mutations that wait to be sent. Not thread-safe. */
final class MutatorBuffer {
  private final long maxBytes;
  private final int maxMutations;
  private List<Mutation> mutations = new ArrayList<>();
  private long bytes;
  private long oldestNanos;

  MutatorBuffer(long maxBytes, int maxMutations) {
    this.maxBytes = maxBytes;
    this.maxMutations = maxMutations;
  }

  void add(List<? extends Mutation> added, long nowNanos) {
    if (mutations.isEmpty()) {
      oldestNanos = nowNanos;
    }
    mutations.addAll(added);
    for (Mutation mutation : added) {
      bytes += mutation.heapSize();
    }
  }

  boolean isFull() {
    return bytes > maxBytes || (maxMutations > 0 && mutations.size() >= maxMutations);
  }

  /** Whether something has waited that long. */
  boolean isOlderThan(long nanos, long nowNanos) {
    return !mutations.isEmpty() && nowNanos - oldestNanos >= nanos;
  }

  List<Mutation> take() {
    List<Mutation> taken = mutations;
    mutations = new ArrayList<>();
    bytes = 0;
    return taken;
  }

  /** Returns the unsent rest to the buffer with its age, before anything else is added. */
  void putBack(List<Mutation> unsent) {
    add(unsent, oldestNanos);
  }
}
