package io.deli.fileindex.internal.blocks;

import static java.util.stream.Collectors.groupingBy;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.coprocessor.spi.FileIndexProvider.Sought;
import io.deli.fileindex.internal.hbase.StoreInternals;
import io.deli.fileindex.internal.memory.IndexedMemStore;
import io.deli.fileindex.internal.memory.MemoryRoom;
import io.deli.query.TokenRange;
import io.deli.service.TokenScan;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hbase.thirdparty.com.google.common.base.Suppliers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes scans of a region by value read less, by the index of the value's column. Thread-safe. */
final class BlockIndexes implements FileIndexProvider.OfRegion {
  private static final Logger LOG = LoggerFactory.getLogger(BlockIndexes.class);
  private static final CandidateRows NONE = new UnitedRows(List.of(), true);

  private final Region region;
  private final FileIndexes files;
  private final Map<String, StoreIndex> stores = new ConcurrentHashMap<>();
  private final Map<String, IndexedMemStore> memories = new ConcurrentHashMap<>();

  BlockIndexes(Region region, FileIndexes files) {
    this.region = region;
    this.files = files;
  }

  @Override
  public void attach(Collection<Index> indexes) {
    if (region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      // Lookups do not ask it, and its files are written by the primary one.
      return;
    }
    Map<HStore, List<Index>> byStore =
        indexes.stream()
            .filter(index -> files.scheme(index).isPresent())
            .filter(index -> region.getStore(index.column().family()) != null)
            .collect(groupingBy(index -> (HStore) region.getStore(index.column().family())));
    byStore.forEach(this::attachToFiles);
    byStore.forEach(this::attachToMemory);
    // What a scan made meanwhile has no memory.
    stores.clear();
  }

  private void attachToMemory(HStore store, List<Index> indexes) {
    if (store.getColumnFamilyDescriptor().isMobEnabled()) {
      // Lookups have no use for it.
      return;
    }
    MemoryRoom room = files.memoryRoom();
    try {
      IndexedMemStore memory =
          StoreInternals.exchange(
              store,
              IndexedMemStore.class,
              // What a coprocessor before this one made of it has all that is in memory.
              own ->
                  own instanceof IndexedMemStore indexed
                      ? indexed
                      : new IndexedMemStore(own, indexes, room));
      memories.put(store.getColumnFamilyName(), memory);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("{} cannot index its memory; lookups look at every cell of it", store, e);
    }
  }

  private void attachToFiles(HStore store, List<Index> indexes) {
    long most = DeliSettings.BLOCK_INDEX_WRITE.get(store.getReadOnlyConfiguration(), LOG::error);
    IndexingWriters writers =
        new IndexingWriters(store, indexes, index -> files.scheme(index).orElseThrow(), most);
    try {
      if (StoreInternals.observeFiles(store, writers)) {
        files.creation().opened(region, store, schemes(indexes), most);
        return;
      }
      LOG.warn("{} has writers of files of its own, which get no indexes", store);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("{} cannot write indexes into its files", store, e);
    }
  }

  /** By the names of their blocks. */
  private Map<String, Scheme> schemes(List<Index> indexes) {
    Map<String, Scheme> schemes = new HashMap<>();
    for (Index index : indexes) {
      Scheme scheme = files.scheme(index).orElseThrow();
      schemes.put(scheme.blockName(index.definition()), scheme);
    }
    return schemes;
  }

  @Override
  public Optional<Filter> narrow(Scan scan, List<Sought> anyOf) throws IOException {
    List<Search> searches = new ArrayList<>(anyOf.size());
    for (Sought each : anyOf) {
      Optional<StoreIndex> index = index(scan, each.index());
      if (index.isEmpty()) {
        return Optional.empty();
      }
      searches.add(new Search(index.get(), wanted(scan, each), each.asked().newest()));
    }
    SearchCount count = new SearchCount(files.metrics());
    Search first = searches.get(0);
    return searches.size() == 1 && isPlainlyNone(first, count)
        ? Optional.of(
            new CandidateFilter(NONE, count, first.index().store(), scan, first.wanted().start())
                .atEnd())
        : Optional.of(narrow(scan, searches, count));
  }

  /** A scan's search in one index. */
  private record Search(StoreIndex index, Wanted wanted, OptionalInt newest) {}

  /** Whether there are no rows, as far as filters in memory tell; see {@link #isNone}. */
  private boolean isPlainlyNone(Search search, SearchCount count) {
    return search.index().isPlainlyWithout(search.wanted(), count) && region.isAvailable();
  }

  private Filter narrow(Scan scan, List<Search> searches, SearchCount count) throws IOException {
    Supplier<SearchBounds> bounds = Suppliers.memoize(() -> files.bounds(region));
    List<CandidateRows> rows = new ArrayList<>(searches.size());
    Set<Store> ofStores = new LinkedHashSet<>();
    for (Search each : searches) {
      rows.add(candidates(scan, each, count, bounds));
      ofStores.add(each.index().store());
    }
    CandidateRows all = rows.size() == 1 ? rows.get(0) : new UnitedRows(rows, ofStores.size() == 1);
    CandidateFilter filter =
        new CandidateFilter(all, count, ofStores.iterator().next(), scan, start(scan));
    if (isNone(all)) {
      return filter.atEnd();
    }
    region.startRegionOperation();
    try {
      for (CandidateRows each : rows) {
        if (each instanceof Candidates searched) {
          searched.readAhead(start(scan));
        }
      }
      return filter;
    } finally {
      region.closeRegionOperation();
    }
  }

  /**
   * Whether there are no rows, as in most regions of a large table. An operation would cost as much
   * as the search, and only keep the region open, which it was if it is available afterwards.
   */
  private boolean isNone(CandidateRows rows) throws IOException {
    try {
      return rows.isNone() && region.isAvailable();
    } finally {
      if (!region.isAvailable()) {
        // What the search has left in the cache, perhaps, behind the region's end.
        close();
      }
    }
  }

  /** Empty if the scan cannot be narrowed. */
  private Optional<StoreIndex> index(Scan scan, Index index) {
    // Raw scans show delete markers, too, and a reversed one cannot be led on.
    if (scan.isRaw() || scan.isReversed() || first(scan).isEmpty()) {
      return Optional.empty();
    }
    StoreIndex known = stores.get(index.name());
    return known != null && known.isOf(index)
        ? Optional.of(known)
        : Optional.ofNullable(stores.compute(index.name(), (name, before) -> inStore(index)));
  }

  /** Null, for maps, if there is none. */
  private StoreIndex inStore(Index index) {
    HStore store = (HStore) region.getStore(index.column().family());
    Optional<Scheme> scheme = files.scheme(index);
    // A file of a family with large objects holds but references to values.
    if (scheme.isEmpty() || store == null || store.getColumnFamilyDescriptor().isMobEnabled()) {
      return null;
    }
    Optional<IndexedMemStore> memory =
        Optional.ofNullable(memories.get(store.getColumnFamilyName()));
    return new StoreIndex(store, memory, index, scheme.get(), files);
  }

  private CandidateRows candidates(
      Scan scan, Search search, SearchCount count, Supplier<SearchBounds> bounds) {
    StoreParts parts =
        new StoreParts(search.index(), search.wanted(), count, scan.getCacheBlocks());
    Candidates all = new Candidates(parts);
    if (search.newest().isEmpty()) {
      return all;
    }
    int most = search.newest().getAsInt();
    return new NewestRows(
        all, parts, bounds.get(), most, (row, readPoint) -> read(scan, row, readPoint));
  }

  private Wanted wanted(Scan scan, Sought sought) {
    TokenScan asked = sought.asked();
    byte[] family = sought.index().column().family();
    TimeRange times = scan.getColumnFamilyTimeRange().getOrDefault(family, scan.getTimeRange());
    return new Wanted(
        sought.index(), asked.tokens(), times, start(scan), end(scan), asked.newest().isEmpty());
  }

  @Override
  public void close() {
    stores.values().forEach(StoreIndex::close);
  }

  /** The first row that the scan may have in this region. */
  private byte[] start(Scan scan) {
    return Rows.later(region.getRegionInfo().getStartKey(), first(scan).orElseThrow());
  }

  /** Empty if no row key is behind the one behind which the scan begins. */
  private static Optional<byte[]> first(Scan scan) {
    byte[] start = scan.getStartRow();
    return scan.includeStartRow() || start.length == 0
        ? Optional.of(start)
        : TokenRange.behindRow(start);
  }

  private byte[] end(Scan scan) {
    byte[] stop = scan.getStopRow();
    return Rows.earlier(
        stop.length > 0 && scan.includeStopRow()
            ? TokenRange.behindRow(stop).orElse(HConstants.EMPTY_END_ROW)
            : stop,
        region.getRegionInfo().getEndKey());
  }

  /** A Get of one row as the scan sees it: files whose row filters exclude the row are left out. */
  private RegionScanner get(Scan scan, byte[] row, long readPoint) throws IOException {
    Scan one = new Scan(scan).withStartRow(row, true).withStopRow(row, true);
    PackagePrivateFieldAccessor.setMvccReadPoint(one, readPoint);
    return region.getScanner(one);
  }

  private List<Cell> read(Scan scan, byte[] row, long readPoint) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = get(scan, row, readPoint)) {
      scanner.next(cells);
      // What they are in may be used for something else once the scanner is closed.
      cells.replaceAll(KeyValueUtil::copyToNewKeyValue);
    }
    return cells;
  }

  @Override
  public void begin(Store store, Scan opened) throws IOException {
    Optional<CandidateFilter> filter = filter(opened.getFilter());
    if (filter.isPresent()) {
      filter.get().begin(store);
    }
  }

  @Override
  public RegionScanner lead(Scan scan, RegionScanner scanner) throws IOException {
    Optional<CandidateFilter> filter = filter(scan.getFilter());
    return filter.isPresent()
        ? new SkippingScanner(
            scanner, filter.get(), row -> get(scan, row, scanner.getMvccReadPoint()))
        : scanner;
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
