package io.deli.coprocessor.internal.endpoint;

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
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The versions that a region still holds, visible or not, for which an entry stands.
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
  /** Of too many versions to look for the token: some may have it. */
  private static final HeldVersions UNTOLD =
      new HeldVersions(List.of(WriteId.NONE), Optional.empty());

  public boolean isEmpty() {
    return ids.isEmpty();
  }

  static HeldVersions of(Region region, Index index, Entry entry) throws IOException {
    List<List<Cell>> columns = new ArrayList<>();
    for (Column column : index.key().all()) {
      columns.add(puts(region, column, entry));
    }
    return ofColumns(columns, index, entry);
  }

  private static List<Cell> puts(Region region, Column column, Entry entry) throws IOException {
    Cell first = firstOf(column, entry);
    return RowParts.of(
        region,
        scan(column, entry),
        (store, parts) -> {
          List<KeyValueScanner> near = new ArrayList<>(parts.size());
          for (KeyValueScanner part : parts) {
            if (part.seek(first)) {
              near.add(part);
            }
          }
          return near.isEmpty()
              ? List.of()
              : puts(new KeyValueHeap(near, store.getComparator()), first);
        });
  }

  /**
   * Finds them among the cells of the entry's row.
   *
   * @param cells in the store's order
   */
  public static HeldVersions of(List<Cell> cells, Index index, Entry entry) {
    List<List<Cell>> columns = new ArrayList<>();
    for (Column column : index.key().all()) {
      Cell first = firstOf(column, entry);
      columns.add(
          cells.stream()
              .filter(cell -> Coordinates.isPut(cell) && Coordinates.sameVersion(cell, first))
              .toList());
    }
    return ofColumns(columns, index, entry);
  }

  /** Copies of the puts of a column at a timestamp, newest first. */
  private static List<Cell> puts(KeyValueHeap cells, Cell first) throws IOException {
    List<Cell> puts = new ArrayList<>(1);
    for (Cell cell = cells.next();
        cell != null && Coordinates.sameVersion(cell, first);
        cell = cells.next()) {
      if (Coordinates.isPut(cell)) {
        puts.add(KeyValueUtil.copyToNewKeyValue(cell));
      }
    }
    return puts;
  }

  /**
   * @param columns of each, its puts at the timestamp
   */
  private static HeldVersions ofColumns(List<List<Cell>> columns, Index index, Entry entry) {
    List<Cell> all = columns.stream().flatMap(List::stream).toList();
    if (index.key().areTooMany(all)) {
      return UNTOLD;
    }
    List<Cell> newest = columns.stream().flatMap(puts -> puts.stream().limit(1)).toList();
    return new HeldVersions(ids(all, index, entry), ids(newest, index, entry).stream().findFirst());
  }

  private static List<WriteId> ids(List<Cell> puts, Index index, Entry entry) {
    return index.key().versions(puts).stream()
        .filter(version -> index.hasToken(CellUtil.cloneValue(version), entry.token()))
        .map(WriteId::of)
        .toList();
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
