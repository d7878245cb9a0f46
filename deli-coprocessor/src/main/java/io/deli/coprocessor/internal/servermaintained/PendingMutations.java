package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.BatchShape;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/** The mutations of a batch that one thread is about to apply, and their entries. */
final class PendingMutations {
  private final IdentityHashMap<Mutation, MutationEntries> entries = new IdentityHashMap<>();
  private List<MutationEntries> unsent = new ArrayList<>();
  private List<MutationEntries> computed = new ArrayList<>(0);
  private final IdentityHashMap<Mutation, IOException> failed = new IdentityHashMap<>(0);
  private final Map<ByteBuffer, Long> drawn = new HashMap<>();
  private final List<Hidden> hidden = new ArrayList<>(0);
  private final BatchShape shape;
  private long latest;
  private int met;
  private long unsentBytes;

  /** A cell without its timestamp. */
  private record Hidden(Cell cell, long timestamp) {}

  PendingMutations(BatchShape shape) {
    this.shape = shape;
  }

  static boolean isBare(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
  }

  /** The delete of a column's latest version stays without: HBase looks for that version. */
  void stamp(Mutation mutation, ToLongFunction<byte[]> draw) throws IOException {
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (isBare(cell) && cell.getType() != Cell.Type.Delete) {
          PrivateCellUtil.setTimestamp(cell, timestamp(mutation.getRow(), draw));
        }
      }
    }
  }

  /**
   * Takes the timestamp that was drawn here off a Put again, until {@link #show}. HBase compares
   * timestamps with a time that it took before it showed the first mutation of the batch, and this
   * one may be later by as long as others were waited for.
   */
  void hide(Put put) throws IOException {
    OptionalLong drawn = drawn(put.getRow());
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (drawn.isPresent() && cell.getTimestamp() == drawn.getAsLong()) {
          hidden.add(new Hidden(cell, drawn.getAsLong()));
          PrivateCellUtil.setTimestamp(cell, HConstants.LATEST_TIMESTAMP);
        }
      }
    }
  }

  /** Gives what was hidden its timestamp back, which HBase has given another one. */
  void show() throws IOException {
    for (Hidden each : hidden) {
      PrivateCellUtil.setTimestamp(each.cell(), each.timestamp());
    }
    hidden.clear();
  }

  /** The timestamp of a row's mutations that have none, which is one in a batch, as in HBase. */
  long timestamp(byte[] row, ToLongFunction<byte[]> draw) {
    long timestamp = drawn.computeIfAbsent(ByteBuffer.wrap(row), key -> draw.applyAsLong(row));
    latest = Math.max(latest, timestamp);
    return timestamp;
  }

  /** The timestamp that was drawn here for the mutations of a row, if there is one. */
  OptionalLong drawn(byte[] row) {
    Long timestamp = drawn.get(ByteBuffer.wrap(row));
    return timestamp == null ? OptionalLong.empty() : OptionalLong.of(timestamp);
  }

  /** The latest that was drawn. */
  long latest() {
    return latest;
  }

  void add(Mutation mutation, MutationEntries entries) {
    this.entries.put(mutation, entries);
    unsent.add(entries);
    unsentBytes += IndexPut.heapSize(entries.puts());
  }

  /**
   * The entries of what is computed for a mutation, which are sent apart; new if there are none.
   */
  MutationEntries computed(Mutation mutation) {
    return entries.computeIfAbsent(
        mutation,
        key -> {
          MutationEntries its = new MutationEntries(mutation, MutationEntries.now(), false);
          computed.add(its);
          return its;
        });
  }

  /** Takes those that are to be sent now. */
  List<MutationEntries> takeComputed() {
    List<MutationEntries> taken = computed;
    computed = new ArrayList<>(0);
    return taken;
  }

  /** Counts a mutation that HBase has shown. */
  void met() {
    met++;
  }

  /**
   * Whether no more mutations of the batch are to come before entries are sent, or entries have so
   * many bytes.
   */
  boolean isDue(long bytes) {
    return met >= shape.mutations() || unsentBytes >= bytes;
  }

  boolean isConditional() {
    return shape.conditional();
  }

  /** Whether each mutation of the batch succeeds or fails by itself. */
  boolean isOfEach() {
    return shape.ofEach();
  }

  /** Whether HBase may show fewer mutations than the request has, and apply those. */
  boolean mayBeCut() {
    return shape.mayBeCut();
  }

  /** Records why a mutation is not to be applied, while others of its batch may be. */
  void fail(Mutation mutation, IOException failure) {
    entries.remove(mutation);
    failed.put(mutation, failure);
  }

  /** The reason not to apply the mutation, or null. */
  IOException failure(Mutation mutation) {
    return failed.get(mutation);
  }

  /** Takes the entries that are to be sent then. */
  List<MutationEntries> due() {
    List<MutationEntries> due = unsent;
    unsent = new ArrayList<>();
    unsentBytes = 0;
    return due;
  }

  Optional<MutationEntries> of(Mutation mutation) {
    return Optional.ofNullable(entries.get(mutation));
  }

  /** Forgets a mutation that is done with. */
  Optional<MutationEntries> take(Mutation mutation) {
    failed.remove(mutation);
    return Optional.ofNullable(entries.remove(mutation));
  }
}
