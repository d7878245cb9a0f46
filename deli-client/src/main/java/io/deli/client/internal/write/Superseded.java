package io.deli.client.internal.write;

import io.deli.entry.WriteId;
import io.deli.index.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

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
    Scan scan =
        new Scan()
            .withStartRow(exposure.row())
            .withStopRow(exposure.row(), true)
            .setOneRowLimit()
            .addFamily(index.column().family())
            .setFilter(
                new QualifierFilter(
                    CompareOperator.EQUAL, new BinaryComparator(index.column().qualifier())))
            .readAllVersions()
            .setRaw(true);
    return ports.scan(index.baseTable(), scan).thenApply(rows -> versions(exposure, rows));
  }

  private List<IndexedVersion> versions(Exposure exposure, List<Result> rows) {
    WriteId id = identities.fresh();
    List<IndexedVersion> versions = new ArrayList<>();
    int newer = 0;
    long last = Long.MAX_VALUE;
    for (Result row : rows) {
      for (Cell cell : row.rawCells()) {
        if (cell.getType() != Cell.Type.Put) {
          continue;
        }
        if (newer >= exposure.retained() && cell.getTimestamp() != last) {
          versions.addAll(exposure.entriesOf(cell, id));
        }
        newer += cell.getTimestamp() == last ? 0 : 1;
        last = cell.getTimestamp();
      }
    }
    return versions;
  }
}
