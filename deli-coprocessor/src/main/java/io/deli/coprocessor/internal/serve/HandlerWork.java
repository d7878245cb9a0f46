package io.deli.coprocessor.internal.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.wal.WALEdit;

/** The mutations that one thread is about to apply, and what it has announced of them. */
final class HandlerWork {
  private final RpcCall call;
  private final IdentityHashMap<Mutation, Announcement> announced = new IdentityHashMap<>();
  private List<Announcement> unsent = new ArrayList<>();
  private WALEdit batch;
  private BatchShape shape = BatchShape.UNKNOWN;
  private int met;
  private byte[] row;
  private long timestamp;

  /**
   * Nothing yet.
   *
   * @param call what the thread serves; null if that is no request
   */
  HandlerWork(RpcCall call) {
    this.call = call;
  }

  boolean serves(RpcCall now) {
    return call != null && call == now;
  }

  /** HBase hands one edit along with all mutations of a batch. */
  boolean isAt(WALEdit edit) {
    return batch == edit;
  }

  void begin(WALEdit edit, BatchShape ofBatch) {
    batch = edit;
    shape = ofBatch;
    met = 0;
    unsent = new ArrayList<>();
    row = null;
  }

  /** The timestamp of a mutation that has none. */
  long timestamp(byte[] ofRow, ToLongFunction<byte[]> clock) {
    if (!shape.oneWrite() || !Arrays.equals(row, ofRow)) {
      row = ofRow;
      timestamp = clock.applyAsLong(ofRow);
    }
    return timestamp;
  }

  void add(Mutation mutation, Announcement announcement) {
    announced.put(mutation, announcement);
    unsent.add(announcement);
  }

  /** Notes that a mutation was seen. */
  void met() {
    met++;
  }

  /** What is to be sent now: nothing as long as more mutations of the batch are to come. */
  List<Announcement> due() {
    if (met < shape.mutations()) {
      return List.of();
    }
    List<Announcement> due = unsent;
    unsent = new ArrayList<>();
    return due;
  }

  Optional<Announcement> of(Mutation mutation) {
    return Optional.ofNullable(announced.get(mutation));
  }

  /** Forgets a mutation that is done with. */
  Optional<Announcement> take(Mutation mutation) {
    return Optional.ofNullable(announced.remove(mutation));
  }

  boolean isDone() {
    return announced.isEmpty();
  }
}
