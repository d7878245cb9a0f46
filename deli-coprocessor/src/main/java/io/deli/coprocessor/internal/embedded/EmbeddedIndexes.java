package io.deli.coprocessor.internal.embedded;

import static java.util.stream.Collectors.groupingBy;

import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.index.Index;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import io.deli.strategy.embedded.EmbeddedStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes scans of a region by value read less, by the index of the value's column. Thread-safe. */
public final class EmbeddedIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedIndexes.class);
  private static final byte[] BEHIND_ALL_ROWS = new byte[HConstants.MAX_ROW_LENGTH];

  static {
    Arrays.fill(BEHIND_ALL_ROWS, (byte) 0xFF);
  }

  private final Region region;
  private final Sketches sketches;
  private final GcMetrics metrics;

  public EmbeddedIndexes(Region region, Sketches sketches, GcMetrics metrics) {
    this.region = region;
    this.sketches = sketches;
    this.metrics = metrics;
  }

  /** Has the stores with such indexes write sketches into their files from now on. */
  public void attach(Collection<Index> indexes) {
    Map<HStore, List<Index>> byStore =
        indexes.stream()
            .filter(index -> index.strategy() instanceof EmbeddedStrategy)
            .filter(index -> region.getStore(index.column().family()) != null)
            .collect(groupingBy(index -> (HStore) region.getStore(index.column().family())));
    byStore.forEach(EmbeddedIndexes::attach);
  }

  private static void attach(HStore store, List<Index> indexes) {
    Sketcher sketcher = new Sketcher(store, indexes);
    try {
      if (HBaseInternals.exchange(
          store, new SketchingFlusher(store, sketcher), new SketchingCompactor(store, sketcher))) {
        return;
      }
      LOG.warn("{} has writers of files of its own; its filters are built when needed", store);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("{} cannot write filters; they are built when needed", store, e);
    }
  }

  /**
   * Lets a scan that is about to open begin at its first candidate.
   *
   * @return a filter for the scan, with which {@link #skipping} leads it from one candidate to the
   *     next; none if the scan has to read everything
   */
  public Optional<Filter> narrow(Scan scan, Index index, TokenScan asked) throws IOException {
    HStore store = (HStore) region.getStore(index.column().family());
    // Raw scans show delete markers, too, a reversed one cannot be led on, and a file of a family
    // with large objects holds but references to values.
    if (!(index.strategy() instanceof EmbeddedStrategy)
        || scan.isRaw()
        || scan.isReversed()
        || store == null
        || store.getColumnFamilyDescriptor().isMobEnabled()) {
      return Optional.empty();
    }
    TimeRange times =
        scan.getColumnFamilyTimeRange().getOrDefault(index.column().family(), scan.getTimeRange());
    Wanted wanted = Wanted.of(index, asked.tokens(), times, start(scan), end(scan));
    StoreParts parts = new StoreParts(store, sketches, index, scan.getCacheBlocks());
    Candidates all = new Candidates(parts, wanted, metrics);
    if (asked.newest().isPresent()) {
      int most = asked.newest().getAsInt();
      return Optional.of(
          new CandidateFilter(
              new NewestRows(
                  all,
                  parts,
                  wanted,
                  metrics,
                  most,
                  (row, readPoint) -> read(scan, row, readPoint))));
    }
    begin(scan, wanted.start(), all);
    return Optional.of(new CandidateFilter(all));
  }

  /** Finds the first candidate, and has the scan begin there. */
  private void begin(Scan scan, byte[] start, Candidates candidates) throws IOException {
    region.startRegionOperation();
    try {
      // Rows written between now and the opening of the scan are written while it is under way.
      Optional<byte[]> first = candidates.atOrBehind(start);
      if (first.isEmpty()) {
        scan.withStartRow(BEHIND_ALL_ROWS);
      } else if (Bytes.compareTo(first.get(), start) > 0) {
        scan.withStartRow(first.get());
      }
    } finally {
      region.closeRegionOperation();
    }
  }

  /** The first row that the scan may have in this region. */
  private byte[] start(Scan scan) {
    byte[] ofRegion = region.getRegionInfo().getStartKey();
    byte[] ofScan = scan.getStartRow();
    if (ofScan.length > 0 && !scan.includeStartRow()) {
      ofScan = TokenRange.successor(ofScan);
    }
    return Bytes.compareTo(ofScan, ofRegion) < 0 ? ofRegion : ofScan;
  }

  private byte[] end(Scan scan) {
    byte[] stop = scan.getStopRow();
    return Rows.earlier(
        stop.length > 0 && scan.includeStopRow() ? TokenRange.successor(stop) : stop,
        region.getRegionInfo().getEndKey());
  }

  /** One row as the scan sees it; files without the row are left out by their row filters. */
  private List<Cell> read(Scan scan, byte[] row, long readPoint) throws IOException {
    Scan one = new Scan(scan).withStartRow(row, true).withStopRow(row, true);
    PackagePrivateFieldAccessor.setMvccReadPoint(one, readPoint);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(one)) {
      scanner.next(cells);
    }
    return cells;
  }

  /** The scanner of a scan, led from candidate to candidate if {@link #narrow} gave it a filter. */
  public static RegionScanner skipping(Scan scan, RegionScanner scanner) throws IOException {
    Optional<CandidateFilter> filter = filter(scan.getFilter());
    return filter.isPresent() ? new SkippingScanner(scanner, filter.get()) : scanner;
  }

  private static Optional<CandidateFilter> filter(Filter filter) {
    if (filter instanceof CandidateFilter found) {
      return Optional.of(found);
    }
    return filter instanceof FilterList list
        ? list.getFilters().stream().flatMap(each -> filter(each).stream()).findFirst()
        : Optional.empty();
  }
}
