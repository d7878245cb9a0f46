package io.deli.strategy;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.query.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The columns of an index, and the versions that it is of. Immutable; does no I/O.
 *
 * <p>On one column, these are the column's. On several, a version is what one mutation wrote: a
 * cell of each column, with one timestamp. It is told here as a cell of the first column that has
 * the {@link Tuple} of all values, and the write id that its cells carry. It lives as long as all
 * of them do, so whichever is hidden or dropped ends it. A row whose newest cells differ in their
 * timestamps, written by parts before there was the index, or around it, has no newest version.
 */
public final class KeyColumns {
  private static final int MOST_TWINS = 10_000;
  private static final long MOST_TWIN_BYTES = 32L << 20;

  private final List<Column> columns;
  private final byte[] family;
  private final byte[] first;

  public KeyColumns(List<Column> columns) {
    this.columns = List.copyOf(columns);
    this.family = columns.get(0).family();
    this.first = columns.get(0).qualifier();
  }

  public List<Column> all() {
    return columns;
  }

  /** Whether there are several. */
  public boolean areJoined() {
    return columns.size() > 1;
  }

  /** Whether a cell is in one of them. */
  public boolean include(Cell cell) {
    return areJoined()
        ? columns.stream().anyMatch(column -> column.matches(cell))
        : CellUtil.matchingColumn(cell, family, first);
  }

  /** Asks for them. */
  public Scan addTo(Scan scan) {
    columns.forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    return scan;
  }

  /** Has a scan give its rows in parts, unless their cells are needed together. */
  public Scan inParts(Scan scan, int cells) {
    return areJoined() ? scan : scan.setBatch(cells);
  }

  /** Selects the cells of columns of one family, for a raw scan, which takes no columns. */
  public static Filter filter(List<Column> columns) {
    List<Filter> filters = new ArrayList<>();
    for (Column column : columns) {
      filters.add(
          new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(column.qualifier())));
    }
    return filters.size() == 1 ? filters.get(0) : new FilterList(Operator.MUST_PASS_ONE, filters);
  }

  /** The versions in a row, newest first. */
  public List<Cell> versions(Result row) {
    if (!areJoined()) {
      return row.getColumnCells(family, first);
    }
    return row.isEmpty() ? List.of() : versions(row.listCells());
  }

  /**
   * The versions in cells of a row, newest first.
   *
   * @param cells in HBase's order; delete markers and those of other columns are passed over
   */
  public List<Cell> versions(Iterable<Cell> cells) {
    List<Cell> own = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.getType() == Cell.Type.Put && include(cell)) {
        own.add(cell);
      }
    }
    return areJoined() ? joined(own) : own;
  }

  /**
   * Whether the versions that cells of one timestamp make are too many to be told: a twin without
   * an id may be of one mutation with each of another column's.
   */
  public boolean areTooMany(List<Cell> same) {
    return areJoined() && same.size() > columns.size() && new Twins(same).areTooMany();
  }

  private List<Cell> joined(List<Cell> own) {
    NavigableMap<Long, List<Cell>> byTime = new TreeMap<>();
    own.forEach(
        cell -> byTime.computeIfAbsent(cell.getTimestamp(), t -> new ArrayList<>()).add(cell));
    List<Cell> joined = new ArrayList<>();
    for (List<Cell> same : byTime.descendingMap().values()) {
      int before = joined.size();
      if (same.size() > columns.size()) {
        new Twins(same).join(joined);
      }
      if (joined.size() == before) {
        // Ids tell twins apart. A cell that was put again with another one is its column's still.
        newestOf(same).ifPresent(joined::add);
      }
    }
    return joined;
  }

  private Optional<Cell> newestOf(List<Cell> same) {
    List<Cell> newest =
        columns.stream().flatMap(column -> same.stream().filter(column::matches).limit(1)).toList();
    return newest.size() == columns.size() ? Optional.of(join(newest)) : Optional.empty();
  }

  /**
   * Cells of one timestamp, of which one mutation wrote one each. Of those that differ in nothing
   * but their age, only the newest counts. Clients choose values and ids, so nothing is hashed.
   */
  private final class Twins {
    private static final byte[] NAMELESS = {};

    /** Of each column, its cells by id and value. */
    private final List<NavigableMap<byte[], NavigableMap<byte[], Cell>>> ofColumns =
        new ArrayList<>();

    private final NavigableSet<byte[]> ids = new TreeSet<>(Bytes.BYTES_COMPARATOR);

    /** Bytes of a version's values, at most. */
    private long largest;

    Twins(List<Cell> same) {
      ids.add(NAMELESS);
      for (Column column : columns) {
        NavigableMap<byte[], NavigableMap<byte[], Cell>> byId =
            new TreeMap<>(Bytes.BYTES_COMPARATOR);
        int longest = 0;
        for (Cell cell : same) {
          if (column.matches(cell)) {
            byId.computeIfAbsent(
                    WriteId.of(cell).toBytes(), id -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                .putIfAbsent(CellUtil.cloneValue(cell), cell);
            longest = Math.max(longest, cell.getValueLength());
          }
        }
        ofColumns.add(byId);
        ids.addAll(byId.keySet());
        largest += longest;
      }
    }

    private Collection<Cell> cells(int column, byte[] id) {
      return ofColumns.get(column).getOrDefault(id, Collections.emptyNavigableMap()).values();
    }

    /** The number of versions whose cells have that id or none, which may overflow an integer. */
    private double count(byte[] id) {
      double count = 1;
      for (int i = 0; i < columns.size(); i++) {
        count *= cells(i, NAMELESS).size() + (id.length == 0 ? 0 : cells(i, id).size());
      }
      return count;
    }

    boolean areTooMany() {
      double nameless = count(NAMELESS);
      double all = nameless;
      for (byte[] id : ids.tailSet(NAMELESS, false)) {
        all += count(id) - nameless;
      }
      return all > 1 && (all > MOST_TWINS || all * largest > MOST_TWIN_BYTES);
    }

    void join(List<Cell> out) {
      for (byte[] id : ids) {
        if (count(id) > 0) {
          join(id, id.length == 0, new ArrayList<>(), out);
        }
      }
    }

    /**
     * @param named whether a cell with the id is chosen; without, the version is not that write's
     */
    private void join(byte[] id, boolean named, List<Cell> chosen, List<Cell> out) {
      int column = chosen.size();
      if (column == columns.size()) {
        out.add(KeyColumns.this.join(chosen));
        return;
      }
      if (named || isIn(column + 1, id)) {
        join(id, named, cells(column, NAMELESS), chosen, out);
      }
      if (id.length > 0) {
        join(id, true, cells(column, id), chosen, out);
      }
    }

    /** Whether a column from that one on has a cell with the id. */
    private boolean isIn(int first, byte[] id) {
      return ofColumns.subList(first, columns.size()).stream().anyMatch(of -> of.containsKey(id));
    }

    private void join(
        byte[] id, boolean named, Collection<Cell> next, List<Cell> chosen, List<Cell> out) {
      for (Cell cell : next) {
        chosen.add(cell);
        join(id, named, chosen, out);
        chosen.remove(chosen.size() - 1);
      }
    }
  }

  /** Whether one mutation may have written both; before the index was there, without an id. */
  public static boolean mayBeOfOne(Cell a, Cell b) {
    WriteId id = WriteId.of(a);
    WriteId its = WriteId.of(b);
    return id.isNone() || its.isNone() || id.equals(its);
  }

  private Cell join(List<Cell> cells) {
    WriteId id =
        cells.stream()
            .map(WriteId::of)
            .filter(each -> !each.isNone())
            .findFirst()
            .orElse(WriteId.NONE);
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(CellUtil.cloneRow(cells.get(0)))
        .setFamily(family)
        .setQualifier(first)
        .setTimestamp(cells.get(0).getTimestamp())
        .setType(Cell.Type.Put)
        .setValue(Tuple.of(cells.stream().map(CellUtil::cloneValue).toList()))
        .setTags(id.toTags())
        .build();
  }

  /** The newest version of a row; empty if a column has none, or was written at another time. */
  public Optional<Cell> newest(Result row) {
    if (!areJoined()) {
      return Optional.ofNullable(row.getColumnLatestCell(family, first));
    }
    List<Cell> newest = new ArrayList<>();
    for (Column column : columns) {
      newest.add(row.getColumnLatestCell(column.family(), column.qualifier()));
    }
    return !newest.contains(null) && areOfOneTime(newest)
        ? Optional.of(join(newest))
        : Optional.empty();
  }

  private static boolean areOfOneTime(List<Cell> cells) {
    long first = cells.get(0).getTimestamp();
    return cells.stream().allMatch(cell -> cell.getTimestamp() == first);
  }

  /**
   * The newest cells of a row that has all columns, but of different times.
   *
   * @param cells in HBase's order
   */
  public List<Cell> unjoined(Iterable<Cell> cells) {
    if (!areJoined()) {
      return List.of();
    }
    Cell[] newest = new Cell[columns.size()];
    for (Cell cell : cells) {
      for (int i = 0; i < newest.length; i++) {
        if (newest[i] == null && cell.getType() == Cell.Type.Put && columns.get(i).matches(cell)) {
          newest[i] = cell;
        }
      }
    }
    List<Cell> found = Arrays.asList(newest);
    return found.contains(null) || areOfOneTime(found) ? List.of() : found;
  }
}
