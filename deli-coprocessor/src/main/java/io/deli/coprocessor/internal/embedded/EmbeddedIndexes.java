package io.deli.coprocessor.internal.embedded;

import static java.util.stream.Collectors.groupingBy;

import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.index.Index;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import io.deli.strategy.embedded.EmbeddedStrategy;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
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
    } catch (ReflectiveOperationException | RuntimeException e) {
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
    region.startRegionOperation();
    try {
      Candidates candidates = candidates(scan, store, index, asked.tokens());
      begin(scan, candidates);
      return Optional.of(new CandidateFilter(candidates));
    } finally {
      region.closeRegionOperation();
    }
  }

  private Candidates candidates(Scan scan, HStore store, Index index, TokenRange tokens) {
    TimeRange times =
        scan.getColumnFamilyTimeRange().getOrDefault(index.column().family(), scan.getTimeRange());
    byte[] stop = scan.getStopRow();
    if (stop.length > 0 && scan.includeStopRow()) {
      stop = TokenRange.successor(stop);
    }
    byte[] end = Rows.earlier(stop, region.getRegionInfo().getEndKey());
    Wanted wanted = Wanted.of(index, tokens, times);
    return new Candidates(store, wanted, sketches, metrics, end, scan.getCacheBlocks());
  }

  /** Rows written between now and the opening of the scan are written while it is under way. */
  private void begin(Scan scan, Candidates candidates) throws IOException {
    RegionInfo info = region.getRegionInfo();
    byte[] start =
        Bytes.compareTo(scan.getStartRow(), info.getStartKey()) < 0
            ? info.getStartKey()
            : scan.getStartRow();
    Optional<byte[]> first = candidates.atOrBehind(start);
    if (first.isEmpty()) {
      scan.withStartRow(BEHIND_ALL_ROWS);
    } else if (Bytes.compareTo(first.get(), start) > 0) {
      scan.withStartRow(first.get());
    }
  }

  /** The scanner of a scan, led from candidate to candidate if {@link #narrow} gave it a filter. */
  public static RegionScanner skipping(Scan scan, RegionScanner scanner) {
    return filter(scan.getFilter())
        .<RegionScanner>map(filter -> new SkippingScanner(scanner, filter))
        .orElse(scanner);
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
