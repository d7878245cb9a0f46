package io.deli.client.internal.write;

import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.SupersededVersions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/**
 * Finds versions that the base table still holds although newer ones supersede them. Their entries
 * may be collected already.
 */
final class Superseded {
  private final Ports ports;
  private final Identities identities;

  Superseded(Ports ports, Identities identities) {
    this.ports = ports;
    this.identities = identities;
  }

  /**
   * The versions that a delete may expose, with entries of their own, so that no delete of the old
   * entries, under way from a compaction, can hit them.
   */
  CompletableFuture<List<IndexedVersion>> versions(Exposure exposure) {
    Index index = exposure.index();
    return ports
        .scan(index.baseTable(), SupersededVersions.scan(index.column(), exposure.row()))
        .thenApply(rows -> versions(exposure, rows));
  }

  private List<IndexedVersion> versions(Exposure exposure, List<Result> rows) {
    WriteId id = identities.fresh();
    List<Cell> cells = rows.stream().flatMap(row -> row.listCells().stream()).toList();
    return SupersededVersions.among(cells, exposure.retained()).stream()
        .flatMap(cell -> exposure.entriesOf(cell, id).stream())
        .toList();
  }
}
