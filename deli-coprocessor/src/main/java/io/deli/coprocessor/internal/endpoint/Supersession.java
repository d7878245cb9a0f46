package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.entry.Entry;
import io.deli.index.Column;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Iterator;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/**
 * Tells whether a version that a region holds is superseded for good: whether its entries can go
 * from an index that nobody asks for old versions ({@link io.deli.index.IndexDefinition#VERSIONS}).
 * Not thread-safe.
 *
 * <p>One newer Put suffices if it is plain, without a TTL or any tag but DELI's own, is in a file
 * no older than those of the version, and no marker from the version's timestamp on may hide it.
 * For as long as such a Put stands, readers of the newest version do not see the older one, and it
 * stands until something takes the older one, too, or restores its entries:
 *
 * <ul>
 *   <li>No crash of a server takes what is in a file.
 *   <li>The delete of exactly the newer Put, or of the latest version, restores the entries of what
 *       it exposes under another write id ({@link
 *       io.deli.coprocessor.internal.servermaintained.Restoration}). All other markers that hide
 *       the newer Put hide the older one, too, as neither has a visibility label; and stay as long.
 *   <li>A rewrite drops the newer Put together with the older version, or for another at its
 *       timestamp or VERSIONS newer ones that last as long, of which the same holds. Where some of
 *       these have a TTL and the older version may be left, it stays ({@link
 *       io.deli.coprocessor.internal.scan.RetentionRules}).
 *   <li>The family has no TTL and no MIN_VERSIONS, does not keep deleted cells, and takes the
 *       greatest timestamp for the newest version.
 * </ul>
 */
public final class Supersession {
  private static final long NONE = -1;

  private final Column column;
  private final long timestamp;
  private boolean uncertain;

  /** The newest file that holds the version. */
  private long holder = NONE;

  /** The newest file that holds a newer plain Put. */
  private long superseder = NONE;

  /** Begins with no cell of the version's row. */
  public Supersession(Column column, long timestamp) {
    this.column = column;
    this.timestamp = timestamp;
  }

  /**
   * Takes a cell of the row and family.
   *
   * @param file the place of its file among the store's, from the oldest on; empty if it is in
   *     memory
   */
  public void add(Cell cell, OptionalLong file) {
    if (cell.getTimestamp() < timestamp) {
      return;
    }
    if (!Coordinates.isPut(cell)) {
      uncertain |= Coordinates.isFamilyMarker(cell) || column.matches(cell);
    } else if (column.matches(cell)) {
      boolean lasts = file.isPresent() && isPlain(cell);
      if (cell.getTimestamp() == timestamp) {
        uncertain |= !lasts;
        holder = Math.max(holder, file.orElse(NONE));
      } else if (lasts) {
        superseder = Math.max(superseder, file.getAsLong());
      }
    }
  }

  private static boolean isPlain(Cell cell) {
    for (Iterator<Tag> tags = PrivateCellUtil.tagsIterator(cell); tags.hasNext(); ) {
      if (!WriteIdTags.isOwn(tags.next())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the cells prove it. */
  public boolean isForGood() {
    return !uncertain && holder != NONE && superseder >= holder;
  }

  /** Whether a region's cells prove it of the version that an entry stands for. */
  static boolean isForGood(Region region, Index index, Entry entry) throws IOException {
    Column column = index.column();
    if (!isOrderly(region.getTableDescriptor().getColumnFamily(column.family()))
        || ((HRegion) region)
                .getCoprocessorHost()
                .findCoprocessor(VisibilityController.class.getName())
            != null) {
      return false;
    }
    Scan row =
        new Scan()
            .withStartRow(entry.key())
            .withStopRow(entry.key(), true)
            .addFamily(column.family())
            .setTimeRange(entry.timestamp(), Long.MAX_VALUE);
    return RowParts.of(
        region,
        row,
        (store, parts) -> {
          Supersession found = new Supersession(column, entry.timestamp());
          for (KeyValueScanner part : parts) {
            found.read(part, entry.key(), HConstants.EMPTY_BYTE_ARRAY);
            if (column.qualifier().length > 0) {
              found.read(part, entry.key(), column.qualifier());
            }
          }
          return found.isForGood();
        });
  }

  /** Reads the column's cells down to the version, or those of the family's markers. */
  private void read(KeyValueScanner part, byte[] row, byte[] qualifier) throws IOException {
    OptionalLong file =
        part.isFileScanner() ? OptionalLong.of(part.getScannerOrder()) : OptionalLong.empty();
    part.seek(
        new KeyValue(
            row, column.family(), qualifier, HConstants.LATEST_TIMESTAMP, KeyValue.Type.Maximum));
    for (Cell cell = part.next();
        cell != null
            && cell.getTimestamp() >= timestamp
            && CellUtil.matchingRows(cell, row)
            && CellUtil.matchingQualifier(cell, qualifier);
        cell = part.next()) {
      add(cell, file);
    }
  }

  /** Whether versions are superseded by what is newer, for ever, and deleted ones not seen. */
  private static boolean isOrderly(ColumnFamilyDescriptor family) {
    return family.getTimeToLive() == HConstants.FOREVER
        && family.getMinVersions() == 0
        && family.getKeepDeletedCells() == KeepDeletedCells.FALSE
        && !family.isNewVersionBehavior();
  }
}
