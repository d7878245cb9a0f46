package io.deli.client.internal.write;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.TableIndexes;
import io.deli.index.Index;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Row;

/**
 * Gives a write the entries of indexes that came into being while it was under way.
 *
 * <p>Who builds an index publishes its definition, waits for one lease, and then reads the base
 * table. A write that the base table answered earlier is seen by that reader. One that it answered
 * later, by definitions no older than the lease, was planned for the index. Any other write comes
 * here before it is acknowledged. What counts is how old its definitions were when the answer came,
 * by the clock of this client alone.
 */
final class Overlooked {
  private final TableName table;
  private final DefinitionCache definitions;
  private final Announcer announcer;

  Overlooked(TableName table, DefinitionCache definitions, Announcer announcer) {
    this.table = table;
    this.definitions = definitions;
    this.announcer = announcer;
  }

  /**
   * Completes when the row of an operation that was carried out has what it needs.
   *
   * <p>Entries are made of what the row holds by now: of an operation that went past DELI nobody
   * knows the timestamps. They get a write id of their own, for there may be tombstones of equal
   * versions.
   *
   * @param known what it was planned by
   */
  CompletableFuture<Void> settle(TableIndexes known, Row operation) {
    return definitions
        .get(table)
        .thenCompose(
            now -> {
              List<Index> missing = now.maintainedSince(known);
              return missing.isEmpty()
                  ? CompletableFuture.completedFuture(null)
                  : announcer.announce(ofRow(operation, missing, now)).thenApply(done -> null);
            });
  }

  /** As if all versions of the row were about to be seen. */
  private static Plan ofRow(Row operation, List<Index> indexes, TableIndexes now) {
    Delete nothing = new Delete(operation.getRow());
    List<Exposure> exposures =
        indexes.stream()
            .map(index -> new Exposure(index, operation.getRow(), 0, nothing, false))
            .toList();
    return new Plan(operation, operation, List.of(), exposures, List.of(), 0, now);
  }
}
