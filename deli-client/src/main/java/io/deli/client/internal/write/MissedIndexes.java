package io.deli.client.internal.write;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.KnownIndexes;
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
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;

/**
 * Gives a write the entries of indexes that came into being while it was under way.
 *
 * <p>Who builds an index publishes its definition, waits for one lease, and then reads the base
 * table. A write that the base table answered earlier is seen by that reader. One that it answered
 * later, by definitions no older than the lease, was planned for the index. Any other write comes
 * here before it is acknowledged. What counts is how old its definitions were when the answer came,
 * by the clock of this client alone.
 *
 * <p>Entries are made of what the row holds by now: of an operation that went past DELI nobody
 * knows the timestamps. They get a write id of their own, for there may be tombstones of equal
 * versions. No compaction knows that id; what is left of them when their versions die, a sweep of
 * the index takes.
 */
final class MissedIndexes {
  private final TableName table;
  private final DefinitionCache definitions;
  private final TableClients clients;
  private final WriteContext context;
  private final IndexWriter indexWriter;

  MissedIndexes(
      TableName table,
      DefinitionCache definitions,
      TableClients clients,
      WriteContext context,
      IndexWriter indexWriter) {
    this.table = table;
    this.definitions = definitions;
    this.clients = clients;
    this.context = context;
    this.indexWriter = indexWriter;
  }

  /**
   * Completes when the row of an operation that was carried out has what it needs.
   *
   * @param known what it was planned by
   */
  CompletableFuture<Void> settle(KnownIndexes known, Row operation) {
    return definitions
        .get(table)
        .thenCompose(
            now ->
                CompletableFuture.allOf(
                    now.maintainedSince(known).stream()
                        .map(index -> write(index, operation.getRow()))
                        .toArray(CompletableFuture[]::new)));
  }

  private CompletableFuture<?> write(Index index, byte[] row) {
    return clients
        .scan(index.baseTable(), ColumnVersions.scan(index.column(), row))
        .thenCompose(rows -> indexWriter.put(versions(index, row, rows)));
  }

  private List<IndexedVersion> versions(Index index, byte[] row, List<Result> rows) {
    WriteId id = context.newWriteId();
    Mutation origin = new Delete(row);
    List<Cell> cells = rows.stream().flatMap(each -> each.listCells().stream()).toList();
    List<IndexedVersion> versions = new ArrayList<>();
    for (Cell cell : ColumnVersions.of(index.column(), cells).all()) {
      try {
        versions.add(IndexedVersion.of(index, BaseVersion.of(cell, id), origin));
      } catch (InvalidIndexException e) {
        // It got there past this client, and never had an entry.
      }
    }
    return versions;
  }
}
