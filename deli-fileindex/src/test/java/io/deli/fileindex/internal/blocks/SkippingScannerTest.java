package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SkippingScannerTest {
  private static final byte[] NAME = Bytes.toBytes("n");

  /** Rows that are far apart, all known when the scan begins. */
  private static final class FarApart implements CandidateRows {
    private final NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);

    FarApart(String... rows) {
      Arrays.stream(rows).map(Bytes::toBytes).forEach(this.rows::add);
    }

    @Override
    public Optional<byte[]> begin(byte[] row) {
      return Optional.of(rows.first());
    }

    @Override
    public Optional<byte[]> last() {
      return Optional.of(rows.last());
    }

    @Override
    public void opened(long readPoint) {}

    @Override
    public boolean areFarApart() {
      return true;
    }

    @Override
    public Optional<byte[]> atOrBehind(byte[] row) {
      return Optional.ofNullable(rows.ceiling(row));
    }
  }

  /** A scanner of a row in a chunk of memory that has something else in it when it is closed. */
  private static final class Get implements RegionScanner {
    private final KeyValue cell;

    Get(byte[] row) {
      cell = new KeyValue(row, NAME, NAME, row);
    }

    @Override
    public boolean nextRaw(List<Cell> result) {
      result.add(cell);
      return false;
    }

    @Override
    public boolean nextRaw(List<Cell> result, ScannerContext context) {
      return nextRaw(result);
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      return nextRaw(result);
    }

    @Override
    public void close() {
      int value = cell.getValueOffset();
      Arrays.fill(cell.getValueArray(), value, value + cell.getValueLength(), (byte) 'x');
    }

    @Override
    public RegionInfo getRegionInfo() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isFilterDone() {
      return false;
    }

    @Override
    public boolean reseek(byte[] row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getMaxResultSize() {
      return Long.MAX_VALUE;
    }

    @Override
    public long getMvccReadPoint() {
      return 1;
    }

    @Override
    public int getBatch() {
      return -1;
    }
  }

  /** HBase sends them when it has the rows of a whole answer. */
  @Test
  void cellsOutlastTheGetThatReadThem() throws Exception {
    CandidateFilter filter =
        new CandidateFilter(
            new FarApart("a", "b", "c"), null, null, new Scan(), HConstants.EMPTY_START_ROW);
    filter.begin(null);
    List<Cell> rows = new ArrayList<>();
    try (RegionScanner scanner =
        new SkippingScanner(new Get(Bytes.toBytes("a")), filter, Get::new)) {
      boolean more = true;
      while (more) {
        List<Cell> row = new ArrayList<>();
        more = scanner.nextRaw(row);
        rows.addAll(row);
      }
    }
    assertThat(rows)
        .extracting(cell -> Bytes.toString(CellUtil.cloneValue(cell)))
        .containsExactly("a", "b", "c");
  }
}
