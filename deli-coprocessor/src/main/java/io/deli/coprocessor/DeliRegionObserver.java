package io.deli.coprocessor;

import com.google.protobuf.Service;
import io.deli.coprocessor.internal.IndexedRegion;
import io.deli.coprocessor.internal.endpoint.RegionEndpoint;
import io.deli.coprocessor.internal.postinglist.PostingListRegion;
import io.deli.coprocessor.internal.scan.ContainedScanner;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the index garbage of a base table while HBase compacts it, writes the entries of indexes
 * that region servers maintain, and merges the posting lists of index tables. To be set as a
 * coprocessor of every table with indexes and of such index tables; on others it does nothing.
 *
 * <p>Columns without index, and tables whose {@code deli.gc.mode} is {@code off}, are kept and
 * dropped as HBase would. A version of an indexed column that HBase would drop stays in the files
 * until the deletes of its entries are acknowledged; readers do not see it.
 *
 * <p>No hook throws what HBase would abort the server for, whatever a tokenizer or strategy throws:
 * a write is refused, a scan and a compaction fail, and a flush, or what follows an operation, goes
 * on.
 */
public final class DeliRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(DeliRegionObserver.class);

  private IndexedRegion region;
  private Optional<PostingListRegion> lists = Optional.empty();

  /** A write, which would fail alike another time. */
  private static <T> T write(Contained.Call<T> call) throws IOException {
    return Contained.call(call, DeliRegionObserver::unindexable);
  }

  private static void write(Contained.Step step) throws IOException {
    Contained.run(step, DeliRegionObserver::unindexable);
  }

  private static IOException unindexable(Throwable e) {
    return new DoNotRetryIOException("the write cannot be indexed: " + e, e);
  }

  private static IOException unscannable(Throwable e) {
    return new IOException("the scan cannot use its index: " + e, e);
  }

  private static <T> T compaction(Contained.Call<T> call) throws IOException {
    return Contained.call(call, e -> new IOException("index garbage cannot be collected: " + e, e));
  }

  /**
   * Takes a step that must not fail for want of an index: HBase has done it, or goes on with it
   * anyhow.
   */
  private static void quietly(
      ObserverContext<RegionCoprocessorEnvironment> context, Contained.Step step) {
    Contained.quietly(
        step,
        e ->
            LOG.error(
                "{}: its indexes cannot follow what was done",
                context.getEnvironment().getRegionInfo().getRegionNameAsString(),
                e));
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) throws IOException {
    if (!(env instanceof RegionCoprocessorEnvironment of)) {
      throw new IOException(getClass().getName() + " is a coprocessor of regions only");
    }
    region = IndexedRegion.open(of);
    lists = PostingListRegion.of(of, region::complain);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment env) {
    if (region != null) {
      Contained.quietly(region::close, e -> LOG.error("the indexes of a region did not close", e));
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** Called by HBase ahead of {@link #start}. */
  @Override
  public Iterable<Service> getServices() {
    return List.of(new RegionEndpoint(() -> region));
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    quietly(context, () -> region.opened());
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
    quietly(context, () -> region.awaitFlush());
  }

  @Override
  public void preFlushScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanOptions options,
      FlushLifeCycleTracker tracker) {
    region.keepAll(store, options);
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    return region.trimFlushed(store, scanner);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker) {
    quietly(context, () -> region.flushed());
  }

  @Override
  public void preMemStoreCompactionCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options) {
    region.keepAll(store, options);
  }

  @Override
  public InternalScanner preMemStoreCompactionCompact(
      ObserverContext<RegionCoprocessorEnvironment> context, Store store, InternalScanner scanner) {
    return region.trimMemory(store, scanner);
  }

  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanType type,
      ScanOptions options,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    region.keepAll(store, options);
    quietly(context, () -> lists.ifPresent(each -> each.keepMarkers(options)));
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    InternalScanner collected = compaction(() -> region.collect(store, scanner, type, request));
    InternalScanner compacted =
        lists.isPresent() ? compaction(() -> lists.get().compacted(collected, type)) : collected;
    return compacted == scanner ? scanner : new ContainedScanner(compacted);
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      StoreFile file,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    quietly(context, () -> region.compacted(store, file, request));
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    // A row that is read whole is right, too.
    Contained.quietly(() -> region.select(get), e -> LOG.debug("cannot narrow {}", get, e));
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    Contained.run(() -> region.scans().select(scan), DeliRegionObserver::unscannable);
  }

  @Override
  public void preStoreScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options)
      throws IOException {
    region.twins().open(options.getScan());
    Contained.run(
        () -> region.scans().begin(store, options.getScan()), DeliRegionObserver::unscannable);
  }

  @Override
  @SuppressWarnings("deprecation") // without a replacement
  public DeleteTracker postInstantiateDeleteTracker(
      ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker) {
    return Contained.orElse(() -> region.twins().tracker(tracker), e -> tracker);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
      throws IOException {
    return Contained.call(
        () -> region.scans().skip(scan, scanner), DeliRegionObserver::unscannable);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit batch)
      throws IOException {
    write(() -> region.writes().put(put));
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit batch)
      throws IOException {
    write(() -> region.writes().delete(delete));
    write(() -> region.restoration().met(delete));
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit batch)
      throws IOException {
    write(() -> region.writes().compute(increment));
    return null;
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> context, Append append, WALEdit batch)
      throws IOException {
    write(() -> region.writes().compute(append));
    return null;
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Mutation increment,
      List<Pair<Cell, Cell>> cells)
      throws IOException {
    return write(() -> region.writes().computed(increment, cells));
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Mutation append,
      List<Pair<Cell, Cell>> cells)
      throws IOException {
    return write(() -> region.writes().computed(append, cells));
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
      throws IOException {
    write(() -> region.writes().files().write(files));
  }

  @Override
  public void preCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      byte[] family,
      List<Pair<Path, Path>> files)
      throws IOException {
    write(() -> region.writes().files().admit(family, files.stream().map(Pair::getFirst).toList()));
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> files,
      Map<byte[], List<Path>> loaded)
      throws IOException {
    write(() -> region.writes().files().settle(files, loaded == null ? Map.of() : loaded));
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    write(() -> region.admit(batch));
    if (lists.isPresent()) {
      write(() -> lists.get().written(batch));
    }
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
    quietly(context, () -> region.writes().applied(batch));
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    quietly(context, () -> lists.ifPresent(PostingListRegion::done));
    quietly(context, () -> region.restoration().settled(batch));
    write(() -> region.writes().settle(batch, success));
  }

  @Override
  public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Region.Operation operation) {
    if (operation == Region.Operation.BATCH_MUTATE) {
      quietly(context, () -> region.writes().batches().begin());
    }
  }

  /** Called also where an observer's failure behind a mutation keeps HBase from settling it. */
  @Override
  public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> context, Region.Operation operation) {
    if (operation == Region.Operation.BATCH_MUTATE) {
      quietly(context, () -> lists.ifPresent(PostingListRegion::done));
      quietly(context, () -> region.restoration().unlock());
      quietly(context, () -> region.writes().batches().end());
    }
  }

  @Override
  public CheckAndMutateResult preCheckAndMutateAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result)
      throws IOException {
    write(() -> region.writes().admission().begin(conditional));
    return result;
  }

  /** HBase's default makes a new result, without the metrics that the client asked for. */
  @Override
  public CheckAndMutateResult postCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result)
      throws IOException {
    write(() -> region.writes().admission().end(conditional, result.isSuccess()));
    return result;
  }

  @Override
  public void preClose(
      ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested) {
    quietly(context, () -> region.abandonWaits());
  }
}
