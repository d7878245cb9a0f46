package io.deli.client.internal.write;

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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

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
 * entries.
 */
record MissedIndexes(Setup setup, IndexWriter indexWriter) {
  /**
   * Completes when the row of an operation has the entries of all indexes.
   *
   * @param known what it was planned by
   */
  CompletableFuture<Void> settle(KnownIndexes known, Row operation) {
    return setup
        .definitions()
        .get(setup.table())
        .thenCompose(
            now ->
                Futures.all(
                    now.maintainedSince(known).stream()
                        .map(index -> write(index, operation.getRow()))
                        .toList()));
  }

  private CompletableFuture<?> write(Index index, byte[] row) {
    return setup
        .clients()
        .scan(index.baseTable(), ColumnVersions.scan(index.key(), row))
        .thenCompose(rows -> indexWriter.put(versions(index, row, rows)));
  }

  private List<IndexedVersion> versions(Index index, byte[] row, List<Result> rows) {
    WriteId id = setup.context().newWriteId();
    Mutation origin = new Delete(row);
    List<Cell> cells = rows.stream().flatMap(each -> each.listCells().stream()).toList();
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
