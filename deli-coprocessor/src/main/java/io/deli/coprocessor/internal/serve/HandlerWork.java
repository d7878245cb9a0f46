package io.deli.coprocessor.internal.serve;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.wal.WALEdit;

/** The mutations that one thread is about to apply, and what it has announced of them. */
final class HandlerWork {
  private final IdentityHashMap<Mutation, Announcement> announced = new IdentityHashMap<>();
  private List<Announcement> unsent = new ArrayList<>();
  private Map<ByteBuffer, Long> drawn = new HashMap<>();
  private long latest;
  private WALEdit batch;
  private BatchShape shape = BatchShape.UNKNOWN;
  private int met;

  /** HBase hands one edit along with all mutations of a batch. */
  boolean isAt(WALEdit edit) {
    return batch == edit;
  }

  void begin(WALEdit edit, BatchShape ofBatch) {
    batch = edit;
    shape = ofBatch;
    met = 0;
    unsent = new ArrayList<>();
    drawn = new HashMap<>();
  }

  /** The timestamp of a row's mutations that have none, which is one in a batch, as in HBase. */
  long timestamp(byte[] row, ToLongFunction<byte[]> clock) {
    long timestamp = drawn.computeIfAbsent(ByteBuffer.wrap(row), key -> clock.applyAsLong(row));
    latest = Math.max(latest, timestamp);
    return timestamp;
  }

  /** The latest that was drawn. */
  long latest() {
    return latest;
  }

  void add(Mutation mutation, Announcement announcement) {
    announced.put(mutation, announcement);
    unsent.add(announcement);
  }

  /** Notes that a mutation was seen. */
  void met() {
    met++;
  }

  /** Whether no more mutations of the batch are to come before its entries are sent. */
  boolean isDue() {
    return met >= shape.mutations();
  }

  boolean isConditional() {
    return shape.conditional();
  }

  /** What is to be sent then. */
  List<Announcement> due() {
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
