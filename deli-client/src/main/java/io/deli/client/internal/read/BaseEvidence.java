package io.deli.client.internal.read;

import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.index.Index;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * Whether the base table still holds, in whatever state, the version that an entry stands for.
 *
 * <p>A version under a tombstone or beyond VERSIONS counts: it may be seen again, and compaction
 * will see it die and collect its entry.
 */
final class BaseEvidence {
  private final AsyncConnection connection;

  BaseEvidence(AsyncConnection connection) {
    this.connection = connection;
  }

  CompletableFuture<Boolean> holds(Index index, Entry entry) {
    return connection
        .getTable(index.baseTable())
        .scanAll(rawVersions(index.column(), entry))
        .thenApply(rows -> rows.stream().anyMatch(row -> justifies(index, row, entry)));
  }

  private static Scan rawVersions(Column column, Entry entry) {
    Scan scan =
        new Scan()
            .withStartRow(entry.key(), true)
            .withStopRow(entry.key(), true)
            .setRaw(true)
            .readAllVersions()
            .addFamily(column.family())
            // A raw scan takes no columns.
            .setFilter(
                new QualifierFilter(
                    CompareOperator.EQUAL, new BinaryComparator(column.qualifier())));
    try {
      return scan.setTimeRange(entry.timestamp(), entry.timestamp() + 1);
    } catch (IOException e) {
      throw new UncheckedIOException("an entry's timestamp is that of a base version", e);
    }
  }

  private static boolean justifies(Index index, Result row, Entry entry) {
    for (Cell cell : row.rawCells()) {
      if (cell.getType() == Cell.Type.Put
          && index.column().matches(cell)
          && index.hasToken(CellUtil.cloneValue(cell), entry.token())) {
        return true;
      }
    }
    return false;
  }
}
