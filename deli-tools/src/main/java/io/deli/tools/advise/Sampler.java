package io.deli.tools.advise;

import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import io.deli.strategy.ColumnVersions;
import io.deli.tools.Failure;
import io.deli.tools.advise.Sample.Stretch;
import io.deli.tools.advise.Sample.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads a sample of a table: stretches of neighbouring rows that begin at random keys, as many in
 * each region, and the last one of each. A region of few rows is read whole. Reads at most twice as
 * many rows as asked for, and little more than {@link #MOST_BYTES}.
 *
 * <p>Rows behind a gap between keys are likelier to be read than others, though each gap is fallen
 * into once only, and so are rows of small regions.
 */
final class Sampler {
  /** Rows of a stretch. */
  static final int STRETCH = 50;

  private static final long MOST_BYTES = 64L << 20;

  private final Table table;
  private final Column column;
  private final ValueType type;
  private final int wanted;
  private final ProgressListener progress;
  private final Random random = new Random();

  private final List<Stretch> stretches = new ArrayList<>();
  private final Set<ByteBuffer> seen = new HashSet<>();
  private long rows;
  private long bytes;

  /** Will read about so many rows. */
  Sampler(Table table, Column column, ValueType type, int wanted, ProgressListener progress) {
    this.table = table;
    this.column = column;
    this.type = type;
    this.wanted = wanted;
    this.progress = progress;
  }

  /** Reads rows of these regions. */
  Sample take(List<RegionInfo> regions) throws IOException {
    List<RegionInfo> chosen = new ArrayList<>(regions);
    Collections.shuffle(chosen, random);
    chosen = chosen.subList(0, Math.min(chosen.size(), 1 + (wanted - 1) / STRETCH));
    boolean whole = chosen.size() == regions.size();
    int share = Math.max(STRETCH, wanted / chosen.size());
    for (RegionInfo region : chosen) {
      whole &= takeOf(region, share, MOST_BYTES / chosen.size());
    }
    return new Sample(List.copyOf(stretches), whole);
  }

  /** Whether these are all rows of the region. */
  private boolean takeOf(RegionInfo region, int share, long mostBytes) throws IOException {
    List<Result> first = read(scan(region.getStartKey(), region, share + 1), mostBytes / 2);
    if (first.size() <= share && sum(first) < mostBytes / 2) {
      for (int from = 0; from < first.size(); from += STRETCH) {
        add(first.subList(from, Math.min(first.size(), from + STRETCH)));
      }
      return true;
    }
    List<Result> last = last(region, mostBytes / 2);
    byte[] end = behind(last);
    UnreadKeys keys = new UnreadKeys(first.get(0).getRow(), end);
    first.subList(0, Math.min(first.size(), STRETCH)).forEach(row -> keys.see(row.getRow()));
    long enough = rows + share;
    long tooMuch = bytes + mostBytes / 2;
    take(keys, last.get(0).getRow(), last, end);
    for (int i = 0; i < 2 * share / STRETCH && rows < enough && bytes < tooMuch; i++) {
      if (keys.isEmpty()) {
        break;
      }
      byte[] key = keys.draw(random);
      List<Result> stretch = read(scan(key, region, STRETCH), mostBytes);
      take(keys, key, stretch, stretch.size() < STRETCH ? end : behind(stretch));
    }
    return false;
  }

  /** Adds a stretch, which is all that is there from a key to another, exclusive. */
  private void take(UnreadKeys keys, byte[] from, List<Result> stretch, byte[] end) {
    stretch.forEach(row -> keys.see(row.getRow()));
    keys.take(from, end);
    add(stretch);
  }

  private static byte[] behind(List<Result> stretch) {
    byte[] last = stretch.get(stretch.size() - 1).getRow();
    // Behind the greatest key no stretch begins.
    return TokenRange.behindRow(last).orElseGet(() -> TokenRange.successor(last));
  }

  private static Scan scan(byte[] from, RegionInfo region, int limit) {
    return limited(
        new Scan()
            .withStartRow(region.containsRow(from) ? from : region.getStartKey())
            .withStopRow(region.getEndKey()),
        limit);
  }

  private static Scan limited(Scan scan, int limit) {
    return scan.setRaw(true)
        .readAllVersions()
        .setLimit(limit)
        .setCaching(limit)
        .setCacheBlocks(false);
  }

  private List<Result> read(Scan scan, long mostBytes) throws IOException {
    List<Result> read = new ArrayList<>();
    long size = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        read.add(row);
        size += size(row);
        if (size >= mostBytes) {
          break;
        }
      }
    }
    return read;
  }

  /** The last stretch, which tells of rows far behind all others. */
  private List<Result> last(RegionInfo region, long mostBytes) throws IOException {
    Scan backwards = new Scan().setReversed(true);
    backwards.withStartRow(region.getEndKey(), false).withStopRow(region.getStartKey(), true);
    List<Result> last = read(limited(backwards, STRETCH), mostBytes);
    Collections.reverse(last);
    return last;
  }

  private void add(List<Result> stretch) {
    List<Value> values = new ArrayList<>();
    long before = rows;
    long bytesBefore = bytes;
    long familyBytes = 0;
    long keyBytes = 0;
    long versions = 0;
    for (Result row : stretch) {
      if (seen.add(ByteBuffer.wrap(row.getRow()))) {
        rows++;
        bytes += size(row);
        keyBytes += row.getRow().length;
        for (Cell cell : row.rawCells()) {
          familyBytes += CellUtil.matchingFamily(cell, column.family()) ? size(cell) : 0;
          versions += isVersion(cell) ? 1 : 0;
        }
        current(row).ifPresent(cell -> values.add(value(cell)));
      }
    }
    stretches.add(
        new Stretch(values, rows - before, bytes - bytesBefore, familyBytes, keyBytes, versions));
    progress.progress("sampling " + table.getName(), Math.min(rows, wanted), wanted);
  }

  private Value value(Cell cell) {
    try {
      return new Value(type.ordered(CellUtil.cloneValue(cell)), cell.getTimestamp());
    } catch (InvalidIndexException e) {
      throw Failure.usage(
          "column %s: %s: say with --type what it holds".formatted(column, e.getMessage()));
    }
  }

  /** The newest version that no marker hides. */
  private Optional<Cell> current(Result row) {
    Stream<Cell> cells = Arrays.stream(row.rawCells());
    return ColumnVersions.of(
            column, cells.filter(cell -> CellUtil.matchingFamily(cell, column.family())).toList())
        .newest();
  }

  private boolean isVersion(Cell cell) {
    return cell.getType() == Cell.Type.Put && column.matches(cell);
  }

  private static long sum(List<Result> read) {
    return read.stream().mapToLong(Sampler::size).sum();
  }

  private static long size(Result row) {
    return Arrays.stream(row.rawCells()).mapToLong(Sampler::size).sum();
  }

  private static int size(Cell cell) {
    return cell.getSerializedSize();
  }
}
