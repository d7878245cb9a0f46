package io.deli.coprocessor.internal;

import com.google.protobuf.Message;
import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.collect.IndexTableCollector;
import io.deli.coprocessor.internal.collect.RegionWaits;
import io.deli.coprocessor.internal.compactiontrigger.CompactionTrigger;
import io.deli.coprocessor.internal.compactiontrigger.TriggerSettings;
import io.deli.coprocessor.internal.compactiontrigger.WatchedStore;
import io.deli.coprocessor.internal.endpoint.ColocatedWriter;
import io.deli.coprocessor.internal.endpoint.EntrySweep;
import io.deli.coprocessor.internal.endpoint.RegionEndpoint;
import io.deli.coprocessor.internal.endpoint.Repair;
import io.deli.coprocessor.internal.endpoint.RowPresence;
import io.deli.coprocessor.internal.endpoint.ServerScanner;
import io.deli.coprocessor.internal.endpoint.StaleRowFilter;
import io.deli.coprocessor.internal.endpoint.ValueScans;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.KeepingScanner;
import io.deli.coprocessor.internal.scan.MemoryCells;
import io.deli.coprocessor.internal.scan.RequestedRetention;
import io.deli.coprocessor.internal.scan.RetentionContext;
import io.deli.coprocessor.internal.scan.ScannerCells;
import io.deli.coprocessor.internal.scan.TwinScans;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.coprocessor.internal.servermaintained.Restoration;
import io.deli.coprocessor.internal.servermaintained.ServerMaintainedWrites;
import io.deli.coprocessor.spi.Caller;
import io.deli.coprocessor.spi.Contained;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.service.ServerScan;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open region of a table with indexes, with an operation for each of the observer's hooks.
 * Thread-safe.
 */
public final class IndexedRegion implements RegionEndpoint.Operations {
  /** HBase's setting by which compactions part the cells that reads of now see from others. */
  private static final String LIVE_FILES = "hbase.enable.historical.compaction.files";

  private static final Logger LOG = LoggerFactory.getLogger(IndexedRegion.class);

  private final RegionCoprocessorEnvironment env;
  private final ServerResources server;
  private final TableIndexes indexes;
  private final Collector collector;
  private final Optional<IndexTableCollector> entries;
  private final CompactionTrigger trigger;
  private final Repair repair;
  private final EntrySweep sweep;
  private final Optional<FileIndexProvider.OfRegion> files;
  private final ValueScans scans;
  private final TwinScans twins = new TwinScans();
  private final ServerMaintainedWrites writes;
  private final Restoration restoration;

  /** The retentions of rewrites whose scanners are being opened, by thread. */
  private final Map<Thread, RequestedRetention> retentions = new ConcurrentHashMap<>();

  private IndexedRegion(RegionCoprocessorEnvironment env) {
    this.env = env;
    server = ServerResources.join(env);
    files = server.fileIndexes().map(provider -> provider.open(env.getRegion()));
    indexes =
        TableIndexes.of(env.getRegion().getTableDescriptor(), files.isPresent(), this::complain);
    scans = new ValueScans(env, indexes, files);
    RegionWaits waits = new RegionWaits();
    collector = new Collector(server.sender(), server.metrics(), waits, server.background());
    entries =
        Optional.of(env.getRegion().getTableDescriptor())
            .filter(IndexTables::dropsStaleEntries)
            .map(
                table ->
                    new IndexTableCollector(
                        table.getTableName(), server.bases(), waits, server.metrics()));
    trigger = new CompactionTrigger(env.getRegion(), this::watched, collector, server);
    repair = new Repair(env, indexes, server, this::complain, this::collected);
    sweep = new EntrySweep(env, indexes, server, this::complain);
    writes = new ServerMaintainedWrites(env, indexes, server, this::complain);
    restoration =
        new Restoration(env, writes.batches(), writes.files(), indexes, server, this::complain);
  }

  /** Opens; to be followed by {@link #close}. */
  public static IndexedRegion open(RegionCoprocessorEnvironment env) {
    IndexedRegion region = new IndexedRegion(env);
    if (!env.getRegion().getStores().isEmpty()) {
      // HBase exchanges coprocessors of an open region if their settings change, and calls no hook.
      Contained.quietly(
          region::opened, e -> LOG.error("{}: its stores get no indexes", env.getRegion(), e));
    }
    return region;
  }

  /** Logs a problem of the table, once. */
  public void complain(String problem) {
    if (server.saysFirst(problem)) {
      LOG.error("table {}: {}", env.getRegionInfo().getTable(), problem);
    }
  }

  private Optional<FamilyIndexes> collected(Store store) {
    return indexes
        .of(store.getColumnFamilyDescriptor().getName())
        .filter(family -> settings(store).mode() != GcMode.OFF);
  }

  private GcSettings settings(Store store) {
    Configuration configuration = ((HStore) store).getReadOnlyConfiguration();
    GcSettings settings = GcSettings.of(configuration, this::complain);
    if (configuration.getBoolean(LIVE_FILES, false) && settings.mode() != GcMode.OFF) {
      complain(
          "%s is on, for which HBase takes what a compaction gives at a time for one row: nothing is collected, but by 'deli collect'"
              .formatted(LIVE_FILES));
      return settings.withMode(GcMode.OFF);
    }
    return settings;
  }

  /** The stores whose garbage makes the region ask for a compaction. */
  private List<WatchedStore> watched() {
    List<WatchedStore> watched = new ArrayList<>();
    for (Store store : env.getRegion().getStores()) {
      Optional<FamilyIndexes> family = collected(store).filter(each -> !each.collectsNothing());
      if (family.isPresent()) {
        HStore known = (HStore) store;
        TriggerSettings settings =
            TriggerSettings.of(known.getReadOnlyConfiguration(), this::complain);
        if (settings.isOn()) {
          watched.add(new WatchedStore(known, family.get(), settings));
        }
      }
    }
    return watched;
  }

  /** Gets ready once the region's stores are there. */
  public void opened() {
    files.ifPresent(each -> each.attach(indexes.usable()));
  }

  /** Waits for a flush under way, if a client asks for another: HBase would pass that over. */
  public void awaitFlush() {
    if (RpcServer.getCurrentCall().isPresent()) {
      long millis = Caller.patience(HConstants.DEFAULT_HBASE_RPC_TIMEOUT) / 2;
      boolean unused = env.getRegion().waitForFlushes(Math.max(1, millis));
    }
  }

  /**
   * Makes HBase's own scanner keep everything, for the one behind it to decide; also if it cannot
   * be told whether there is one. HBase opens both one after the other, in one thread.
   */
  public void keepAll(Store store, ScanOptions options) {
    twins.open(options.getScan());
    if (Contained.orElse(() -> collected(store).isPresent(), e -> true)) {
      retentions.put(Thread.currentThread(), RequestedRetention.keepAll((HStore) store, options));
    }
  }

  private ScanInfo retention(HStore store) {
    RequestedRetention retention = retentions.remove(Thread.currentThread());
    return retention != null && retention.isOf(store) ? retention.asked() : store.getScanInfo();
  }

  /** Trims what is flushed, except versions whose entries go with them. */
  public InternalScanner trimFlushed(Store store, InternalScanner scanner) {
    return trim(store, scanner, FamilyIndexes::covers);
  }

  /**
   * Trims what is compacted in memory, except versions of indexed columns: those whose entries may
   * go ahead of them, too, since a server that dies may lose what superseded them, but not them.
   */
  public InternalScanner trimMemory(Store store, InternalScanner scanner) {
    return trim(store, scanner, FamilyIndexes::isRevivable);
  }

  /** Throws nothing: out of a flush that would abort the server. */
  private InternalScanner trim(
      Store store, InternalScanner scanner, BiPredicate<FamilyIndexes, Cell> kept) {
    return Contained.orElse(
        () -> {
          Optional<FamilyIndexes> family = collected(store);
          return family.isPresent() ? trim(store, scanner, family.get(), kept) : scanner;
        },
        e -> {
          LOG.error("{}: cannot tell what may go; everything is kept", store, e);
          return scanner;
        });
  }

  private InternalScanner trim(
      Store store,
      InternalScanner scanner,
      FamilyIndexes family,
      BiPredicate<FamilyIndexes, Cell> kept)
      throws IOException {
    CellSource cells =
        scanner.getClass().equals(StoreScanner.class)
            ? new MemoryCells((StoreScanner) scanner)
            : new ScannerCells(scanner);
    HStore known = (HStore) store;
    return new KeepingScanner(
        cells,
        RetentionContext.ofMemory(known, retention(known), family.retracted()).matcher(),
        cell -> kept.test(family, cell));
  }

  /** Collects garbage while files are compacted. */
  public InternalScanner collect(
      Store store, InternalScanner scanner, ScanType type, CompactionRequest request)
      throws IOException {
    Optional<FamilyIndexes> family = collected(store);
    if (family.isEmpty()) {
      return type == ScanType.COMPACT_DROP_DELETES ? withoutStaleEntries(store, scanner) : scanner;
    }
    HStore known = (HStore) store;
    return Contained.call(
        () ->
            collector.collect(
                known, retention(known), scanner, type, request, family.get(), settings(store)),
        e -> new IOException("could not begin to collect the garbage of " + store, e));
  }

  private InternalScanner withoutStaleEntries(Store store, InternalScanner scanner) {
    GcSettings settings = settings(store);
    return entries.isEmpty() || settings.mode() == GcMode.OFF
        ? scanner
        : Contained.orElse(
            () -> entries.get().collect(scanner, settings),
            e -> {
              LOG.warn("{}: cannot tell which entries are stale; all are kept", store, e);
              return scanner;
            });
  }

  /** Has the garbage of the files estimated soon, by another thread. */
  public void flushed() {
    trigger.flushed();
  }

  /** Sees to the garbage in a file that a compaction wrote, if that is left to be done. */
  public void compacted(Store store, StoreFile file, CompactionRequest request) {
    if (request.isAllFiles()) {
      trigger.collected(store);
    }
    collected(store)
        .filter(family -> !family.collectsNothing())
        .ifPresent(
            family -> collector.compacted((HStoreFile) file, request, family, settings(store)));
  }

  /** Leaves out what a query has no use for of a row. */
  public void select(Get get) throws IOException {
    StaleRowFilter.narrow(get, indexes);
  }

  public ValueScans scans() {
    return scans;
  }

  public TwinScans twins() {
    return twins;
  }

  public ServerMaintainedWrites writes() {
    return writes;
  }

  /** Restores the entries of versions that deletes expose. */
  public Restoration restoration() {
    return restoration;
  }

  /**
   * Admits a batch whose rows are locked, or mutations of it, and has the others fail.
   *
   * @throws IOException if one is refused whose batch is atomic
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    restoration.lock(batch);
    writes.admit(batch);
    // It may refuse a Put, in whose place the version that a delete exposes stays then.
    identify(batch);
    restoration.admit(batch);
  }

  /** Tags the cells of writes with their identities, unless these are malformed or untimely. */
  private void identify(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      if (Refusal.isPending(batch, i) && batch.getOperation(i) instanceof Put put) {
        try {
          WriteIdTags.add(put, indexes, writes.admission()::isUntimely);
        } catch (IllegalArgumentException e) {
          Refusal.refuse(env.getRegion(), batch, i, e.getMessage());
        }
      }
    }
  }

  @Override
  public Message describe() {
    return RegionService.describe(env.getRegion().getTableDescriptor());
  }

  @Override
  public void repair(RegionService.Suspect suspect) throws IOException {
    scans.requireReader(indexes.named(suspect.index()));
    repair.look(suspect);
  }

  @Override
  public Message kept() throws IOException {
    List<Long> compacted = new ArrayList<>();
    for (Store store : env.getRegion().getStores()) {
      if (indexes.of(store.getColumnFamilyDescriptor().getName()).isPresent()) {
        boolean isEmpty = store.getStorefilesCount() == 0;
        compacted.add(isEmpty ? Long.MAX_VALUE : WatchedStore.compactedWhole((HStore) store));
      }
    }
    return RegionService.kept(collector.kept(), compacted);
  }

  @Override
  public Message present() throws IOException {
    return RegionService.versions(RowPresence.of(env.getRegion()) ? 1 : 0);
  }

  @Override
  public List<Integer> sweep(RegionService.Entries entries) throws IOException {
    scans.requireReader(indexes.of(entries));
    return sweep.run(entries);
  }

  @Override
  public List<Integer> stale(RegionService.Entries asked) throws IOException {
    return repair.stale(asked);
  }

  @Override
  public ServerScan.Answer scan(List<ServerScan> asked) throws IOException {
    return ServerScanner.scan(env, asked);
  }

  @Override
  public BitSet write(ColocatedWrite asked) throws IOException {
    return ColocatedWriter.write(env, asked);
  }

  /** Ends all waits, so that the region can close. */
  public void abandonWaits() {
    collector.abandon();
  }

  /** Releases what it shares with other regions. */
  public void close() {
    trigger.close();
    files.ifPresent(FileIndexProvider.OfRegion::close);
    ServerResources.leave(env);
  }
}
