package io.deli.tools.advise;

import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.tools.Failure;
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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads a sample of a table: stretches of neighbouring rows that begin at random keys, as many in
 * each region. A region of few rows is read whole. Reads at most twice as many rows as asked for,
 * and little more than {@link #MOST_BYTES}.
 *
 * <p>Rows behind a gap between keys are likelier to be read than others, and so are rows of small
 * regions.
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
  private final Random random;

  private final List<List<Value>> stretches = new ArrayList<>();
  private final Set<ByteBuffer> seen = new HashSet<>();
  private long rows;
  private long bytes;
  private long familyBytes;
  private long keyBytes;
  private long versions;

  /** Will read about so many rows. */
  Sampler(
      Table table,
      Column column,
      ValueType type,
      int wanted,
      ProgressListener progress,
      Random random) {
    this.table = table;
    this.column = column;
    this.type = type;
    this.wanted = wanted;
    this.progress = progress;
    this.random = random;
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
    return new Sample(List.copyOf(stretches), rows, bytes, familyBytes, keyBytes, versions, whole);
  }

  /** Whether these are all rows of the region. */
  private boolean takeOf(RegionInfo region, int share, long mostBytes) throws IOException {
    List<Result> first = read(region.getStartKey(), region, share + 1, mostBytes / 2);
    if (first.size() <= share && sum(first) < mostBytes / 2) {
      for (int from = 0; from < first.size(); from += STRETCH) {
        add(first.subList(from, Math.min(first.size(), from + STRETCH)));
      }
      return true;
    }
    KeyShape shape = new KeyShape();
    shape.see(first.get(0).getRow());
    shape.see(last(region));
    long enough = rows + share;
    long tooMuch = bytes + mostBytes / 2;
    for (int i = 0; i < 2 * share / STRETCH && rows < enough && bytes < tooMuch; i++) {
      List<Result> stretch = read(shape.draw(random), region, STRETCH, mostBytes);
      stretch.forEach(row -> shape.see(row.getRow()));
      add(stretch);
    }
    return false;
  }

  private List<Result> read(byte[] from, RegionInfo region, int limit, long mostBytes)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(region.containsRow(from) ? from : region.getStartKey())
            .withStopRow(region.getEndKey())
            .setRaw(true)
            .readAllVersions()
            .setLimit(limit)
            .setCaching(limit)
            .setCacheBlocks(false);
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

  private byte[] last(RegionInfo region) throws IOException {
    Scan scan = new Scan().setReversed(true).setRaw(true).setLimit(1).setCacheBlocks(false);
    scan.withStartRow(region.getEndKey(), false).withStopRow(region.getStartKey(), true);
    try (ResultScanner scanner = table.getScanner(scan)) {
      Result last = scanner.next();
      return last == null ? region.getStartKey() : last.getRow();
    }
  }

  private void add(List<Result> stretch) {
    List<Value> values = new ArrayList<>();
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
    stretches.add(values);
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
    return Arrays.stream(row.rawCells())
        .filter(this::isVersion)
        .filter(put -> Arrays.stream(row.rawCells()).noneMatch(cell -> hides(cell, put)))
        .findFirst();
  }

  private boolean isVersion(Cell cell) {
    return cell.getType() == Cell.Type.Put && column.matches(cell);
  }

  private static boolean hides(Cell marker, Cell put) {
    return switch (marker.getType()) {
      case DeleteFamily ->
          CellUtil.matchingFamily(marker, put) && put.getTimestamp() <= marker.getTimestamp();
      case DeleteFamilyVersion ->
          CellUtil.matchingFamily(marker, put) && put.getTimestamp() == marker.getTimestamp();
      case DeleteColumn ->
          CellUtil.matchingColumn(marker, put) && put.getTimestamp() <= marker.getTimestamp();
      case Delete ->
          CellUtil.matchingColumn(marker, put) && put.getTimestamp() == marker.getTimestamp();
      default -> false;
    };
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
