package io.deli.coprocessor.internal.serve;

import io.deli.entry.RowClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.wal.WALEdit;

/** The mutations that one thread is about to apply, and what it has announced of them. */
final class HandlerWork {
  private final IdentityHashMap<Mutation, Announcement> announced = new IdentityHashMap<>();
  private List<Announcement> unsent = new ArrayList<>();
  private Map<ByteBuffer, Draw> drawn = new HashMap<>();
  private long latest;
  private WALEdit batch;
  private BatchShape shape = BatchShape.UNKNOWN;
  private int met;

  /** A timestamp, and a moment before it was drawn. */
  private record Draw(long before, long timestamp) {}

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
  long timestamp(byte[] row, RowClock clock, LockedWrites locked) {
    Draw draw =
        drawn.computeIfAbsent(ByteBuffer.wrap(row), key -> new Draw(locked.now(), clock.next(row)));
    latest = Math.max(latest, draw.timestamp());
    return draw.timestamp();
  }

  /** Whether a write may have been decided without this one since its timestamp was drawn. */
  boolean isOvertaken(Mutation mutation, LockedWrites locked) {
    Draw draw = drawn.get(ByteBuffer.wrap(mutation.getRow()));
    return draw != null && locked.haveOvertaken(mutation, draw.before());
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
