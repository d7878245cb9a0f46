package io.deli.client.internal.write;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import io.deli.strategy.IndexedVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes the entries that a write missed because their indexes were created while it was in flight.
 *
 * <p>A builder publishes the definition of its index, waits for one lease, and then reads the base
 * table. It sees every write that the base table answered before. A later write by definitions no
 * older than the lease was planned for the index. Any other write passes through here before it is
 * acknowledged. What counts is the age of its definitions when the answer arrived, by this client's
 * clock alone.
 *
 * <p>Entries are made of the row's present contents, since the timestamps of an operation sent by
 * HBase's own client are not known. They get a new write id, since there may be tombstones of equal
 * versions. No compaction knows that id; when the versions die, a sweep of the index deletes the
 * entries. A Put that its writer is not shown there, for he may write labels that he may not read,
 * fails.
 */
record MissedIndexes(Setup setup, IndexWriter indexWriter) {
  /**
   * Completes when the row of an operation has the entries of all indexes.
   *
   * @param known what it was planned by
   */
  CompletableFuture<Void> settle(KnownIndexes known, Row operation) {
    if (IndexedTableWriter.areReads(List.of(operation))) {
      return CompletableFuture.completedFuture(null);
    }
    return setup
        .known()
        .thenCompose(
            now ->
                Futures.all(
                    now.maintainedSince(known).stream()
                        .map(index -> write(index, operation))
                        .toList()));
  }

  private CompletableFuture<?> write(Index index, Row operation) {
    byte[] row = operation.getRow();
    return setup
        .clients()
        .scan(index.baseTable(), ColumnVersions.scan(index.key(), row))
        .thenCompose(
            rows -> {
              List<Cell> cells = rows.stream().flatMap(each -> each.listCells().stream()).toList();
              return show(cells, written(index, operation))
                  ? indexWriter.put(versions(index, row, cells))
                  : CompletableFuture.failedFuture(hidden(index, row));
            });
  }

  /** The last cell of each column and timestamp that the operation puts. */
  private static Collection<Cell> written(Index index, Row operation) {
    Map<Cell, Cell> last = new TreeMap<>(CellComparator.getInstance());
    puts(operation)
        .flatMap(put -> put.getFamilyCellMap().values().stream())
        .flatMap(List::stream)
        .filter(index.key()::include)
        .forEach(cell -> last.put(cell, cell));
    return last.values();
  }

  /** None of conditions, which may not have held. */
  private static Stream<Put> puts(Row operation) {
    if (operation instanceof RowMutations mutations) {
      return mutations.getMutations().stream().flatMap(MissedIndexes::puts);
    }
    return operation instanceof Put put ? Stream.of(put) : Stream.empty();
  }

  private static boolean show(List<Cell> cells, Collection<Cell> written) {
    return written.stream().allMatch(each -> cells.stream().anyMatch(cell -> isOf(each, cell)));
  }

  private static boolean isOf(Cell written, Cell stored) {
    return stored.getType() == Cell.Type.Put
        && CellUtil.matchingColumn(stored, written)
        && CellUtil.matchingValue(stored, written)
        && (Timestamps.isMissing(written) || stored.getTimestamp() == written.getTimestamp());
  }

  private static IndexUnavailableException hidden(Index index, byte[] row) {
    return new IndexUnavailableException(
        "table %s, row '%s': index '%s' was created during the write, which cannot be read back for its entry: labels or permissions hide it from its writer, or another write replaced it. Write it again."
            .formatted(index.baseTable(), Bytes.toStringBinary(row), index.name()));
  }

  private List<IndexedVersion> versions(Index index, byte[] row, List<Cell> cells) {
    WriteId id = setup.context().newWriteId();
    Mutation origin = new Delete(row);
    List<IndexedVersion> versions = new ArrayList<>();
    List<Cell> stored =
        index.key().all().stream()
            .flatMap(column -> ColumnVersions.of(column, cells).all().stream())
            .toList();
    for (Cell cell : index.key().versions(stored)) {
      try {
        versions.add(IndexedVersion.of(index, BaseVersion.of(cell, id), origin));
      } catch (InvalidIndexException e) {
        // It got there past this client, and never had an entry.
      }
    }
    return versions;
  }
}
