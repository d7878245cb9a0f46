package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The puts that a region still holds, visible or not, of the version that an entry stands for.
 *
 * <p>A version under a tombstone or beyond VERSIONS counts: it may be seen again, and compaction
 * will see it die and collect its entry. So does one that the reader is not allowed to see: the
 * region is asked, not a client. And so does one behind a newer put with equal coordinates, which
 * no scan shows: a compaction of the newer one's file may leave it as the only one. Hence each file
 * is looked at by itself, as garbage collection does.
 *
 * @param ids of the writes of such versions that have the entry's token, newest first
 * @param winner the id of the newest put at the coordinates, if that has the token
 */
public record HeldVersions(List<WriteId> ids, Optional<WriteId> winner) {
  public boolean isEmpty() {
    return ids.isEmpty();
  }

  static HeldVersions of(Region region, Index index, Entry entry) throws IOException {
    Cell first = firstOf(index.column(), entry);
    return RowParts.of(
        region,
        scan(index.column(), entry),
        (store, parts) -> {
          List<KeyValueScanner> near = new ArrayList<>(parts.size());
          for (KeyValueScanner part : parts) {
            if (part.seek(first)) {
              near.add(part);
            }
          }
          return near.isEmpty()
              ? new HeldVersions(List.of(), Optional.empty())
              : of(new KeyValueHeap(near, store.getComparator())::next, first, index, entry);
        });
  }

  /**
   * Reads them from cells.
   *
   * @param cells of the store, in its order, beginning with any cell of the version
   */
  public static HeldVersions of(CellSource cells, Index index, Entry entry) throws IOException {
    return of(cells::next, firstOf(index.column(), entry), index, entry);
  }

  private interface Cells {
    Cell next() throws IOException;
  }

  private static HeldVersions of(Cells cells, Cell first, Index index, Entry entry)
      throws IOException {
    List<WriteId> ids = new ArrayList<>(1);
    Optional<WriteId> winner = Optional.empty();
    boolean isFirst = true;
    for (Cell cell = cells.next();
        cell != null && Coordinates.sameVersion(cell, first);
        cell = cells.next()) {
      if (Coordinates.isPut(cell)) {
        if (index.hasToken(CellUtil.cloneValue(cell), entry.token())) {
          ids.add(WriteId.of(cell));
          winner = isFirst ? Optional.of(ids.get(0)) : winner;
        }
        isFirst = false;
      }
    }
    return new HeldVersions(List.copyOf(ids), winner);
  }

  /** Tells which files cannot hold the version, by their Bloom filters, times and keys. */
  private static Scan scan(Column column, Entry entry) throws IOException {
    return new Scan()
        .withStartRow(entry.key(), true)
        .withStopRow(entry.key(), true)
        .addColumn(column.family(), column.qualifier())
        .setTimeRange(entry.timestamp(), entry.timestamp() + 1);
  }

  /** Sorts before all cells of the version, whatever their types. */
  private static Cell firstOf(Column column, Entry entry) {
    return new KeyValue(
        entry.key(), column.family(), column.qualifier(), entry.timestamp(), KeyValue.Type.Maximum);
  }
}
