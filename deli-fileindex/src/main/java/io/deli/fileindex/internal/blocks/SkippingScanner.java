package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** A region's scanner that goes from candidate to candidate. */
final class SkippingScanner implements RegionScanner, Shipper {
  private final RegionScanner scanner;
  private final CandidateFilter filter;

  SkippingScanner(RegionScanner scanner, CandidateFilter filter) throws IOException {
    this.scanner = scanner;
    this.filter = filter;
    filter.drive(scanner.getMvccReadPoint());
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    return goOn(scanner.nextRaw(result));
  }

  /**
   * After a stop it comes back without a row: so the caller sees to its limits, of time above all.
   */
  @Override
  public boolean nextRaw(List<Cell> result, ScannerContext context) throws IOException {
    boolean more = goOn(scanner.nextRaw(result, context));
    filter.count().tell(context);
    return more;
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    return goOn(scanner.next(result, context));
  }

  private boolean goOn(boolean more) throws IOException {
    if (!filter.hasStopped()) {
      return more;
    }
    Optional<byte[]> next = filter.goOn();
    return next.isPresent() && scanner.reseek(next.get());
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
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
