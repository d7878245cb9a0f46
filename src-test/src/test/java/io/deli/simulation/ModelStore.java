package io.deli.simulation;

import io.deli.coprocessor.internal.scan.Coordinates;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The cells of one column family of a region, in a {@link LogStructuredStore}, and what reads show
 * of them, as HBase does: four kinds of delete markers, each of which hides what has its timestamp
 * or, but for those of exact versions, an older one, whatever came first; of equal coordinates the
 * latest; so many versions of each column.
 */
final class ModelStore {
  static final CellComparator ORDER = LogStructuredStore.ORDER;
  private static final byte[] END = {};

  private final LogStructuredStore store;
  private final int versions;
  private final LongSupplier millis;

  /** The sequence numbers with which files end, from the oldest file to the newest. */
  private final List<Long> ends = new ArrayList<>();

  ModelStore(LogStructuredStore store, int versions, LongSupplier millis) {
    this.store = store;
    this.versions = versions;
    this.millis = millis;
  }

  void add(List<Cell> cells) {
    store.put(cells);
  }

  long sequence() {
    return store.sequence();
  }

  void crash() {
    store.crash();
  }

  /** The cells of one file, of several that follow one another, or of the memory: a range. */
  record Files(long after, long upTo) {}

  int countFiles() {
    return ends.size();
  }

  /** Of files by their places, from the oldest. */
  Files files(int from, int to) {
    return new Files(from == 0 ? 0 : ends.get(from - 1), to == 0 ? 0 : ends.get(to - 1));
  }

  Files memory() {
    return new Files(ends.isEmpty() ? 0 : ends.get(ends.size() - 1), Long.MAX_VALUE);
  }

  List<Cell> cells(Files files) {
    List<Cell> cells = store.scan(END, END);
    cells.removeIf(
        cell -> {
          long sequence = LogStructuredStore.sequence(cell);
          return sequence <= files.after() || sequence > files.upTo();
        });
    return cells;
  }

  /** Ends a flush; a file is written even if nothing is left for it. */
  void flushed(List<Cell> memory, List<Cell> kept) {
    if (!memory.isEmpty()) {
      store.flush();
      drop(memory, kept);
      ends.add(store.sequence());
    }
  }

  /** Ends a compaction; here, too, a file is written. */
  void compacted(Files files, List<Cell> cells, List<Cell> kept) {
    drop(cells, kept);
    ends.removeIf(end -> end > files.after() && end < files.upTo());
  }

  private void drop(List<Cell> cells, List<Cell> kept) {
    Set<Long> living = new HashSet<>();
    kept.forEach(cell -> living.add(LogStructuredStore.sequence(cell)));
    List<Cell> dead = new ArrayList<>(cells);
    dead.removeIf(cell -> living.contains(LogStructuredStore.sequence(cell)));
    if (dead.size() + kept.size() != cells.size()) {
      throw new IllegalStateException("a rewrite keeps what it read, or drops it");
    }
    store.drop(dead);
  }

  /** What a scan shows, row by row. */
  List<List<Cell>> read(Scan scan) {
    List<List<Cell>> rows = readTagged(scan);
    if (!scan.isRaw()) {
      rows.forEach(row -> row.replaceAll(ModelStore::untagged));
    }
    return rows;
  }

  /** The same, with the tags of their cells. */
  private List<List<Cell>> readTagged(Scan scan) {
    boolean reversed = scan.isReversed();
    byte[] first = reversed ? scan.getStopRow() : scan.getStartRow();
    byte[] last = reversed ? scan.getStartRow() : scan.getStopRow();
    boolean withFirst = reversed ? scan.includeStopRow() : scan.includeStartRow();
    boolean withLast = reversed ? scan.includeStartRow() : scan.includeStopRow();
    List<Cell> all =
        store.scan(
            withFirst || first.length == 0 ? first : behind(first),
            withLast && last.length > 0 ? behind(last) : last);
    all.removeIf(this::isExpired);
    List<List<Cell>> rows = new ArrayList<>();
    for (int from = 0, to; from < all.size(); from = to) {
      to = from + 1;
      while (to < all.size() && CellUtil.matchingRows(all.get(from), all.get(to))) {
        to++;
      }
      List<Cell> shown = scan.isRaw() ? raw(all, from, to, scan) : shown(all, from, to, scan);
      if (!shown.isEmpty()) {
        rows.add(shown);
      }
    }
    if (reversed) {
      Collections.reverse(rows);
    }
    return rows;
  }

  private boolean isExpired(Cell cell) {
    return PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)
        .filter(ttl -> cell.getTimestamp() + Tag.getValueAsLong(ttl) < millis.getAsLong())
        .isPresent();
  }

  private static List<Cell> raw(List<Cell> all, int from, int to, Scan scan) {
    List<Cell> shown = new ArrayList<>();
    for (Cell cell : all.subList(from, to)) {
      if (scan.getTimeRange().withinTimeRange(cell.getTimestamp())
          && (shown.isEmpty() || !isSame(shown.get(shown.size() - 1), cell))) {
        shown.add(cell);
      }
    }
    return shown;
  }

  /** Whether they differ in nothing but when they came. */
  private static boolean isSame(Cell one, Cell other) {
    return one.getTimestamp() == other.getTimestamp()
        && one.getType() == other.getType()
        && CellUtil.matchingColumn(one, other);
  }

  private List<Cell> shown(List<Cell> all, int from, int to, Scan scan) {
    List<Cell> shown = new ArrayList<>();
    Markers markers = new Markers();
    int count = 0;
    int most = Math.min(scan.getMaxVersions(), versions);
    TimeRange time = scan.getTimeRange();
    Cell last = null;
    for (int i = from; i < to; i++) {
      Cell cell = all.get(i);
      if (last != null && !CellUtil.matchingQualifier(last, cell)) {
        markers.nextColumn();
        count = 0;
        last = null;
      }
      if (cell.getType() != Cell.Type.Put) {
        markers.add(cell);
        last = Coordinates.isFamilyMarker(cell) ? last : cell;
        continue;
      }
      boolean twin = last != null && last.getType() == Cell.Type.Put && isSame(last, cell);
      last = cell;
      if (!twin
          && !markers.hide(cell.getTimestamp())
          && time.withinTimeRange(cell.getTimestamp())
          && count < most) {
        count++;
        if (isWanted(scan, cell)) {
          shown.add(cell);
        }
      }
    }
    return shown;
  }

  private static boolean isWanted(Scan scan, Cell cell) {
    if (!scan.hasFamilies()) {
      return true;
    }
    Collection<byte[]> columns = scan.getFamilyMap().values().iterator().next();
    boolean wanted = columns == null;
    for (byte[] column : wanted ? List.<byte[]>of() : columns) {
      wanted |= CellUtil.matchingQualifier(cell, column);
    }
    return wanted;
  }

  /** HBase tells clients no tags. */
  private static Cell untagged(Cell cell) {
    return PrivateCellUtil.getTags(cell).isEmpty()
        ? cell
        : new KeyValue(
            CellUtil.cloneRow(cell),
            CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell),
            cell.getTimestamp(),
            KeyValue.Type.Put,
            CellUtil.cloneValue(cell));
  }

  /** The delete markers that were met in a row. */
  private static final class Markers {
    private final List<Cell> exact = new ArrayList<>(0);
    private final List<Cell> exactOfFamily = new ArrayList<>(0);
    private long upTo = Long.MIN_VALUE;
    private long upToOfFamily = Long.MIN_VALUE;

    void add(Cell marker) {
      long time = marker.getTimestamp();
      switch (marker.getType()) {
        case DeleteFamily -> upToOfFamily = Math.max(upToOfFamily, time);
        case DeleteFamilyVersion -> exactOfFamily.add(marker);
        case DeleteColumn -> upTo = Math.max(upTo, time);
        default -> exact.add(marker);
      }
    }

    void nextColumn() {
      exact.clear();
      upTo = Long.MIN_VALUE;
    }

    boolean hide(long time) {
      return time <= upTo || time <= upToOfFamily || isOf(exact, time) || isOf(exactOfFamily, time);
    }

    private static boolean isOf(List<Cell> markers, long time) {
      for (Cell marker : markers) {
        if (marker.getTimestamp() == time) {
          return true;
        }
      }
      return false;
    }
  }

  /** A scan of one row. */
  static Scan row(byte[] row) {
    return new Scan().withStartRow(row).withStopRow(row, true);
  }

  /** All cells of a row, hidden or not. */
  List<Cell> all(byte[] row) {
    return store.scan(row, behind(row));
  }

  private static byte[] behind(byte[] row) {
    return Bytes.add(row, new byte[1]);
  }

  /** All versions of all rows that are not hidden, with their tags. */
  List<Cell> living() {
    List<Cell> living = new ArrayList<>();
    readTagged(new Scan().readAllVersions()).forEach(living::addAll);
    return living;
  }
}
