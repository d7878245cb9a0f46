package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Writes the entries of what Increments and Appends compute. Thread-safe.
 *
 * <p>The value is known only when HBase has locked the row, read it and computed, so these entries
 * cannot go ahead of the lock. It goes so:
 *
 * <ol>
 *   <li>HBase shows the cells that it has computed, a family at a time. Each indexed one gets a
 *       write id: HBase hands down the tags of the version before, its write id among them, and the
 *       timestamp, the clock's unless that version is newer, may be another's. A value that an
 *       index cannot hold fails the batch before anything is sent.
 *   <li>When all of the batch is computed, and just before it is logged, its entries are sent
 *       together and waited for, as long as those of a conditional write.
 *   <li>If they are not acknowledged, the batch fails as a whole and nothing of it is applied. The
 *       client tries again, and HBase computes anew.
 * </ol>
 *
 * <p>HBase answers a repetition of what it has applied, which it knows by its nonce, without
 * computing. Entries of a batch that fails after they were sent are garbage, which repair finds.
 *
 * <p>The row's lock and the region's lock on updates are held meanwhile, so a flush that begins
 * waits as long.
 */
record ComputedEntries(List<ServerMaintainedIndex> indexes, BlockingEntrySender sender) {
  /**
   * Prepares the entries of what was computed for a mutation.
   *
   * @param cells of one family, each with the one before it
   * @return the same, with write ids
   * @throws DoNotRetryIOException if an index cannot hold a value
   */
  List<Pair<Cell, Cell>> prepare(
      PendingMutations pending, Mutation computed, List<Pair<Cell, Cell>> cells)
      throws DoNotRetryIOException {
    MutationEntries entries = pending.computed(computed);
    WriteId id = ServerMaintainedWrites.fresh();
    List<Pair<Cell, Cell>> identified = new ArrayList<>(cells.size());
    for (Pair<Cell, Cell> each : cells) {
      identified.add(new Pair<>(each.getFirst(), prepare(entries, each.getSecond(), id)));
    }
    return identified;
  }

  private Cell prepare(MutationEntries entries, Cell cell, WriteId id)
      throws DoNotRetryIOException {
    boolean indexed = false;
    for (ServerMaintainedIndex each : indexes) {
      if (!each.index().key().areJoined() && each.index().column().matches(cell)) {
        entries.require(each.index(), BaseVersion.of(cell, id));
        indexed = true;
      }
    }
    return indexed ? WriteIdTags.tagged(cell, id) : cell;
  }

  /**
   * Sends what was prepared, and waits; rows are locked.
   *
   * @return what was sent
   * @throws IOException if an index does not acknowledge
   */
  List<MutationEntries> send(PendingMutations pending) throws IOException {
    List<MutationEntries> computed = pending.takeComputed();
    if (computed.isEmpty()) {
      // As in most batches.
      return computed;
    }
    List<IndexPut> puts = computed.stream().flatMap(each -> each.puts().stream()).toList();
    IOException failure = BlockingEntrySender.among(sender.sendLocked(puts), puts);
    if (failure != null) {
      throw failure;
    }
    computed.forEach(MutationEntries::acknowledge);
    return computed;
  }
}
