package io.deli.fileindex.internal.blocks;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a file that may hold what is wanted, ascending.
 *
 * @param newest of each, no version with a wanted token is newer
 * @param end where the rows end that are known, exclusive; empty if all are
 */
public record RowList(Blocks blocks, List<byte[]> rows, long[] newest, byte[] end)
    implements Matches {
  /**
   * Gathers rows, each as often as one likes. Of rows in ascending order it takes the first ones
   * only, and one looks for more when the scan is behind these. Of rows in any order it keeps,
   * beyond some memory, but the blocks that they are in: it takes less to read these then.
   */
  public static final class Builder {
    // A scan keeps them until it ends, those of every file.
    private static final long MOST_BYTES = 1 << 20;
    private static final int ENTRY = 100;
    private static final int MOST_ASCENDING = 1_000;

    private final Blocks blocks;
    private final boolean ascending;
    private final NavigableMap<byte[], Long> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    private final NavigableMap<Integer, Long> dense = new TreeMap<>();
    private long bytes;
    private byte[] end = HConstants.EMPTY_END_ROW;

    /**
     * @param ascending whether the rows to be added are
     */
    public Builder(Blocks blocks, boolean ascending) {
      this.blocks = blocks;
      this.ascending = ascending;
    }

    /** Whether it takes no more. */
    public boolean isFull() {
      return end.length > 0;
    }

    /** Adds a row, unless it is full. */
    public void add(byte[] row, long newest) {
      if (isFull()) {
        return;
      }
      if (ascending && rows.size() == MOST_ASCENDING && !rows.containsKey(row)) {
        end = row;
        return;
      }
      if (!dense.isEmpty()) {
        dense.merge(blocks.blockOf(row), newest, Math::max);
        return;
      }
      int before = rows.size();
      rows.merge(row, newest, Math::max);
      if (rows.size() > before) {
        bytes += ENTRY + row.length;
      }
      if (bytes > MOST_BYTES) {
        rows.forEach((each, time) -> dense.merge(blocks.blockOf(each), time, Math::max));
        rows.clear();
      }
    }

    public Matches build() {
      return dense.isEmpty()
          ? new RowList(blocks, List.copyOf(rows.keySet()), times(rows), end)
          : new Shortlist(blocks, dense.keySet().stream().mapToInt(n -> n).toArray(), times(dense));
    }

    private static long[] times(Map<?, Long> newest) {
      long[] times = new long[newest.size()];
      int place = 0;
      for (long time : newest.values()) {
        times[place++] = time;
      }
      return times;
    }
  }

  @Override
  public int blockCount() {
    int count = 0;
    int last = -1;
    for (byte[] row : rows) {
      int block = blocks.blockOf(row);
      count += block == last ? 0 : 1;
      last = block;
    }
    return count;
  }

  @Override
  public boolean knowsTimes() {
    return true;
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public long weight() {
    return rows.stream().mapToLong(row -> Builder.ENTRY + row.length).sum();
  }

  /** The place of the first row at or behind one. */
  private int placeOf(byte[] row) {
    int place = Collections.binarySearch(rows, row, Bytes.BYTES_COMPARATOR);
    return place < 0 ? -1 - place : place;
  }

  @Override
  public RowList within(byte[] start, byte[] end) {
    int from = placeOf(start);
    int to = end.length == 0 ? rows.size() : Math.max(from, placeOf(end));
    return from == 0 && to == rows.size()
        ? this
        : new RowList(
            blocks, rows.subList(from, to), Arrays.copyOfRange(newest, from, to), this.end);
  }

  @Override
  public FileCursor cursor(Wanted wanted, SearchCount count) {
    return new Cursor(count);
  }

  /** Gives some rows at a time, and reads nothing. */
  private final class Cursor implements FileCursor {
    private static final int AT_A_TIME = 256;

    private final SearchCount count;
    private NavigableSet<byte[]> given = Collections.emptyNavigableSet();
    private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
    private boolean exhausted;
    private int visited;
    private int lastBlock = -1;

    Cursor(SearchCount count) {
      this.count = count;
    }

    @Override
    public boolean seek(byte[] row) {
      if (exhausted || (known.length > 0 && Bytes.compareTo(row, known) < 0)) {
        return false;
      }
      int from = placeOf(row);
      if (visited == 0 && from > 0) {
        // The page before ended there.
        visited = from;
        lastBlock = blocks.blockOf(rows.get(from - 1));
      }
      int to = Math.min(from + AT_A_TIME, rows.size());
      given = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      given.addAll(rows.subList(from, to));
      known = to == rows.size() ? end : rows.get(to);
      exhausted = known.length == 0;
      return false;
    }

    @Override
    public void visit(byte[] row) {
      while (visited < rows.size() && Bytes.compareTo(rows.get(visited), row) < 0) {
        visited++;
      }
      if (visited < rows.size() && Bytes.equals(rows.get(visited), row)) {
        int block = blocks.blockOf(row);
        if (block != lastBlock) {
          count.blockRead();
        }
        lastBlock = block;
      }
    }

    @Override
    public void read(KeyValueScanner file) {
      throw new IllegalStateException("all rows are known");
    }

    @Override
    public NavigableSet<byte[]> rows() {
      return given;
    }

    @Override
    public byte[] known() {
      return known;
    }
  }
}
