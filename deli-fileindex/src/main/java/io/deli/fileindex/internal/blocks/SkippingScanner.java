package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * A region's scanner that goes from candidate to candidate: where they are far apart by Gets, which
 * leave out the files whose row Bloom filters exclude the row, else by seeking in each file.
 */
final class SkippingScanner implements RegionScanner, Shipper {
  private final RegionScanner scanner;
  private final CandidateFilter filter;
  private final Gets gets;

  /** The row that a Get is to read next, or reads; the scan itself may be one. */
  private Optional<byte[]> only;

  private Optional<RegionScanner> get;

  /** Opens Gets that see what the scan sees. */
  @FunctionalInterface
  interface Gets {
    RegionScanner open(byte[] row) throws IOException;
  }

  SkippingScanner(RegionScanner scanner, CandidateFilter filter, Gets gets) throws IOException {
    this.scanner = scanner;
    this.filter = filter;
    this.gets = gets;
    filter.drive(scanner.getMvccReadPoint());
    only = filter.only();
    get = only.map(row -> scanner);
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    return goOn(current().nextRaw(result), result);
  }

  /**
   * After a stop it comes back without a row: so the caller sees to its limits, of time above all.
   */
  @Override
  public boolean nextRaw(List<Cell> result, ScannerContext context) throws IOException {
    boolean more = goOn(current().nextRaw(result, context), result);
    filter.count().tell(context);
    return more;
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    return goOn(current().next(result, context), result);
  }

  private RegionScanner current() throws IOException {
    if (only.isPresent() && get.isEmpty()) {
      get = Optional.of(gets.open(only.get()));
    }
    return get.orElse(scanner);
  }

  private boolean goOn(boolean more, List<Cell> result) throws IOException {
    if (filter.hasStopped()) {
      return to(filter.goOn());
    }
    if (more || only.isEmpty()) {
      return more;
    }
    // What they are in may be used for something else once the Get is closed.
    result.replaceAll(KeyValueUtil::copyToNewKeyValue);
    return !scanner.isFilterDone() && to(filter.behind(only.get()));
  }

  private boolean to(Optional<byte[]> next) throws IOException {
    endGet();
    only = next.filter(row -> filter.areFarApart());
    return next.isPresent() && (only.isPresent() || scanner.reseek(next.get()));
  }

  private void endGet() throws IOException {
    if (get.isPresent() && get.get() != scanner) {
      get.get().close();
    }
    get = Optional.empty();
  }

  /** What ends here is the region, not the client's scan. */
  @Override
  public boolean isFilterDone() throws IOException {
    return !filter.hasStopped() && scanner.isFilterDone();
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    return scanner.reseek(row);
  }

  @Override
  public RegionInfo getRegionInfo() {
    return scanner.getRegionInfo();
  }

  @Override
  public long getMaxResultSize() {
    return scanner.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return scanner.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return scanner.getBatch();
  }

  @Override
  public String getOperationId() {
    return scanner.getOperationId();
  }

  @Override
  public void shipped() throws IOException {
    if (get.orElse(scanner) instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    endGet();
    scanner.close();
  }
}
