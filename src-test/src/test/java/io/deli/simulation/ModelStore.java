package io.deli.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;

/**
 * The cells of one column family of a region, in memory and in files, and what reads show of them,
 * as HBase does: four kinds of delete markers, each of which hides what has its timestamp or, but
 * for those of exact versions, an older one, whatever came first; of equal coordinates the latest;
 * so many versions of each column.
 */
final class ModelStore {
  static final CellComparator ORDER = CellComparator.getInstance();

  private final int versions;
  private List<Cell> memory = new ArrayList<>();
  private final List<List<Cell>> files = new ArrayList<>();

  ModelStore(int versions) {
    this.versions = versions;
  }

  void add(Cell cell) {
    int place = Collections.binarySearch(memory, cell, ORDER);
    memory.add(place < 0 ? -place - 1 : place, cell);
  }

  List<Cell> memory() {
    return memory;
  }

  /** From the oldest to the newest. */
  List<List<Cell>> files() {
    return files;
  }

  /** Ends a flush; a file is written even if nothing is left for it. */
  void flushed(List<Cell> file) {
    if (!memory.isEmpty()) {
      files.add(file);
      memory = new ArrayList<>();
    }
  }

  /** Ends a compaction of files that follow one another; here, too, a file is written. */
  void compacted(List<List<Cell>> from, List<Cell> to) {
    // By identity: two files may have equal cells.
    int place = 0;
    while (files.get(place) != from.get(0)) {
      place++;
    }
    files.subList(place, place + from.size()).clear();
    files.add(place, to);
  }

  /** Cells of several parts in HBase's order. */
  static List<Cell> merged(Collection<List<Cell>> parts) {
    List<Cell> all = new ArrayList<>();
    parts.forEach(all::addAll);
    all.sort(ORDER);
    return all;
  }

  /** All cells of rows, in order. */
  private List<Cell> cells(byte[] start, boolean withStart, byte[] stop, boolean withStop) {
    List<Cell> all = new ArrayList<>();
    int parts = within(memory, start, withStart, stop, withStop, all);
    for (List<Cell> file : files) {
      parts += within(file, start, withStart, stop, withStop, all);
    }
    if (parts > 1) {
      all.sort(ORDER);
    }
    return all;
  }

  private static int within(
      List<Cell> part,
      byte[] start,
      boolean withStart,
      byte[] stop,
      boolean withStop,
      List<Cell> out) {
    int from = first(part, start, !withStart);
    int to = stop.length == 0 ? part.size() : first(part, stop, withStop);
    if (from >= to) {
      return 0;
    }
    out.addAll(part.subList(from, to));
    return 1;
  }

  /** The place of the first cell of a row, or of the first behind it. */
  private static int first(List<Cell> part, byte[] row, boolean behind) {
    int low = 0;
    int high = part.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = ORDER.compareRows(part.get(middle), row, 0, row.length);
      if (order < 0 || (behind && order == 0)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What a scan shows, row by row. */
  List<List<Cell>> read(Scan scan) {
    boolean reversed = scan.isReversed();
    byte[] first = reversed ? scan.getStopRow() : scan.getStartRow();
    byte[] last = reversed ? scan.getStartRow() : scan.getStopRow();
    List<Cell> all =
        cells(
            first,
            first.length == 0 || (reversed ? scan.includeStopRow() : scan.includeStartRow()),
            last,
            reversed ? scan.includeStartRow() : scan.includeStopRow());
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
        last = isOfFamily(cell) ? last : cell;
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
          shown.add(untagged(cell));
        }
      }
    }
    return shown;
  }

  private static boolean isOfFamily(Cell cell) {
    return PrivateCellUtil.isDeleteFamily(cell) || PrivateCellUtil.isDeleteFamilyVersion(cell);
  }

  private static boolean isWanted(Scan scan, Cell cell) {
    if (!scan.hasFamilies()) {
      return true;
    }
    Collection<byte[]> columns = scan.getFamilyMap().values().iterator().next();
    return columns == null
        || columns.stream().anyMatch(column -> CellUtil.matchingQualifier(cell, column));
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

  /** What is there of rows and values, for a reader of traces. */
  @Override
  public String toString() {
    return "memory " + memory + ", files " + files;
  }

  /** The delete markers that were met in a row. */
  private static final class Markers {
    private final TreeSet<Long> exact = new TreeSet<>();
    private final TreeSet<Long> exactOfFamily = new TreeSet<>();
    private long upTo = Long.MIN_VALUE;
    private long upToOfFamily = Long.MIN_VALUE;

    void add(Cell marker) {
      long time = marker.getTimestamp();
      switch (marker.getType()) {
        case DeleteFamily -> upToOfFamily = Math.max(upToOfFamily, time);
        case DeleteFamilyVersion -> exactOfFamily.add(time);
        case DeleteColumn -> upTo = Math.max(upTo, time);
        default -> exact.add(time);
      }
    }

    void nextColumn() {
      exact.clear();
      upTo = Long.MIN_VALUE;
    }

    boolean hide(long time) {
      return time <= upTo
          || time <= upToOfFamily
          || exact.contains(time)
          || exactOfFamily.contains(time);
    }
  }

  /** A scan of one row. */
  static Scan row(byte[] row) {
    return new Scan().withStartRow(row).withStopRow(row, true);
  }

  /** All cells of a row, hidden or not. */
  List<Cell> all(byte[] row) {
    return cells(row, true, row, true);
  }

  /** All versions of all rows that are not hidden, with their tags. */
  List<Cell> living() {
    List<Cell> all = cells(new byte[0], true, new byte[0], true);
    Scan scan = new Scan().readAllVersions();
    List<Cell> living = new ArrayList<>();
    for (List<Cell> row : read(scan)) {
      for (Cell shown : row) {
        all.stream()
            .filter(cell -> CellUtil.matchingRows(cell, shown) && isSame(cell, shown))
            .findFirst()
            .ifPresent(living::add);
      }
    }
    return living;
  }
}
