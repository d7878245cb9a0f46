package io.deli.simulation;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.collect.RegionWaits;
import io.deli.coprocessor.internal.endpoint.HeldVersions;
import io.deli.coprocessor.internal.endpoint.Repair;
import io.deli.coprocessor.internal.endpoint.Supersession;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.KeepingScanner;
import io.deli.coprocessor.internal.scan.RetentionMatcher;
import io.deli.coprocessor.internal.scan.RetentionRules;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.RowMarks;
import io.deli.coprocessor.internal.servermaintained.Admission;
import io.deli.coprocessor.internal.servermaintained.RegionPlace;
import io.deli.entry.Entry;
import io.deli.index.InvalidIndexException;
import io.deli.service.DrawnTimestamp;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;

/** A base region with DELI's coprocessor, whose rules are the real ones. */
final class ObservedRegion implements ModelRegion.Observer {
  static final GcMetrics METRICS =
      new GcMetrics(
          new MetricRegistryImpl(
              new MetricRegistryInfo(
                  "simulation", "simulation", "simulation", "simulation", false)));
  private static final Configuration CONFIGURATION = new Configuration(false);
  private static final long GC_TIMEOUT_MILLIS = 2_000;

  private final ModelRegion region;
  private final World world;
  private final long graceMillis;
  private final IndexDelete.Sender sender;
  private final BiConsumer<List<Cell>, List<Cell>> rewritten;
  private final TableIndexes indexes;
  private final ScanInfo scanInfo;
  private Admission admission;
  private final Collector collector;
  private Optional<Compaction> compaction = Optional.empty();
  private CompletableFuture<?> awaited = CompletableFuture.completedFuture(null);
  private Object request = new Object();
  private boolean atomic;

  /**
   * @param indexes of the table
   * @param sender of the server
   * @param rewritten is shown what was read and what was written
   */
  ObservedRegion(
      ModelRegion region,
      TableIndexes indexes,
      World world,
      long graceMillis,
      IndexDelete.Sender sender,
      BiConsumer<List<Cell>, List<Cell>> rewritten) {
    this.region = region;
    this.world = world;
    this.graceMillis = graceMillis;
    this.rewritten = rewritten;
    this.sender = world.has(Defect.DELETES_UNMADE) ? ObservedRegion::acknowledge : sender;
    this.indexes = indexes;
    this.scanInfo =
        new ScanInfo(CONFIGURATION, region.family(), Long.MAX_VALUE, 0, ModelStore.ORDER);
    this.admission =
        new Admission(
            region.table().getTableName(),
            new Place(),
            new RowMarks(),
            world.admissionAges(),
            !world.has(Defect.NO_ADMISSION),
            indexes.mayHaveTables());
    this.collector = new Collector(collecting(), METRICS, new Waits(), Runnable::run);
    region.open(this);
  }

  /** Returns the indexes of a table, which are the same whenever it is opened. */
  static TableIndexes indexes(TableDescriptor table) {
    return TableIndexes.of(
        table,
        false,
        problem -> {
          throw new InvalidIndexException(problem);
        });
  }

  private static CompletableFuture<Void> acknowledge(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged) {
    deletes.forEach(IndexDelete::acknowledge);
    return CompletableFuture.completedFuture(null);
  }

  private IndexDelete.Sender collecting() {
    return !world.has(Defect.DROPS_UNACKNOWLEDGED)
        ? sender
        : (table, deletes, timeout, acknowledged) ->
            sender
                .send(table, deletes, timeout, acknowledged)
                .thenRun(() -> deletes.forEach(IndexDelete::acknowledge));
  }

  private final class Place implements RegionPlace {
    @Override
    public long now() {
      // Asked for the first time when the region opens.
      boolean opening = admission == null;
      return opening && world.has(Defect.OPENING_FORGOTTEN) ? 0 : world.millis(region.server());
    }

    @Override
    public Object request() {
      return request;
    }

    @Override
    public boolean isOfEach(byte[] row) {
      return !atomic;
    }

    @Override
    public List<Cell> cells(byte[] row, long timestamp) {
      return world.has(Defect.FOREIGN_WRITE_TAKEN)
          ? region.store().all(row)
          : region.cells(row, timestamp);
    }

    /** The observer is not told of conditions, which no value of the future decides here. */
    @Override
    public long newest(Get get) {
      return 0;
    }
  }

  /** A compaction that has to wait is gone on with later. */
  private final class Waits extends RegionWaits {
    @Override
    public long nanoTime() {
      return world.nanos();
    }

    @Override
    public boolean await(CompletableFuture<?> future, long nanos) {
      awaited = future;
      return future.isDone();
    }
  }

  private Optional<FamilyIndexes> family() {
    return indexes.of(region.family().getName());
  }

  @Override
  public long waitMillis(Mutation mutation) {
    Optional<DrawnTimestamp> drawn = DrawnTimestamp.of(mutation);
    long lead = drawn.map(d -> d.timestamp() - world.millis(region.server())).orElse(0L);
    return lead > 0 && lead <= Admission.awaitedMillis(drawn.get()) ? lead : 0;
  }

  @Override
  public void beforeRequest() {
    request = new Object();
  }

  @Override
  public void beforeBatch(MiniBatchOperationInProgress<Mutation> batch, boolean atomic)
      throws IOException {
    this.atomic = atomic;
    admission.admit(batch);
    for (int i = 0; i < batch.size(); i++) {
      if (Refusal.isPending(batch, i)
          && batch.getOperation(i) instanceof Put put
          && !world.has(Defect.IDS_UNKEPT)) {
        try {
          WriteIdTags.add(put, indexes, admission::isUntimely);
        } catch (IllegalArgumentException e) {
          if (atomic) {
            throw new FailedSanityCheckException(e.getMessage());
          }
          Refusal.refuse(batch, i, OperationStatusCode.SANITY_CHECK_FAILURE, e.getMessage());
        }
      }
    }
    Refusal.answer(batch);
  }

  @Override
  public void afterBatch(MiniBatchOperationInProgress<Mutation> batch) {
    admission.applied(batch, false);
  }

  @Override
  public Message call(MethodDescriptor method, Message request) throws IOException {
    if (method.equals(RegionService.DESCRIBE)) {
      return RegionService.describe(region.table());
    }
    RegionService.Suspect suspect = RegionService.Suspect.of(request);
    Index index = indexes.named(suspect.index());
    Entry entry = suspect.entry();
    if (entry.isSettled(world.millis(region.server()), graceMillis)
        && (world.has(Defect.NO_EVIDENCE)
            || HeldVersions.of(held(entry.key()), index, entry).isEmpty()
            || isSupersededForGood(index, entry))) {
      for (IndexDelete delete : Repair.deletes(index, entry)) {
        var unused = sender.send(delete.table(), List.of(delete), GC_TIMEOUT_MILLIS, () -> {});
      }
    }
    return RegionService.prototype(method.getOutputType());
  }

  private boolean isSupersededForGood(Index index, Entry entry) {
    if (family().filter(each -> each.forgets(index)).isEmpty()) {
      return false;
    }
    Supersession found = new Supersession(index.column(), entry.timestamp());
    ModelStore store = region.store();
    for (int i = 0; i <= store.countFiles(); i++) {
      boolean memory = i == store.countFiles();
      OptionalLong file = memory ? OptionalLong.empty() : OptionalLong.of(i);
      store.cells(memory ? store.memory() : store.files(i, i + 1)).stream()
          .filter(cell -> CellUtil.matchingRows(cell, entry.key()))
          .forEach(cell -> found.add(cell, file));
    }
    return found.isForGood();
  }

  private List<Cell> held(byte[] row) {
    ModelStore store = region.store();
    if (world.has(Defect.EVIDENCE_OF_READS)) {
      return store.read(ModelStore.row(row)).stream().flatMap(List::stream).toList();
    } else if (world.has(Defect.EVIDENCE_OF_FILES)) {
      return store.cells(store.files(0, store.countFiles())).stream()
          .filter(cell -> CellUtil.matchingRows(cell, row))
          .toList();
    }
    return store.all(row);
  }

  private static CellSource source(List<Cell> cells) {
    Iterator<Cell> rest = cells.iterator();
    return new CellSource() {
      @Override
      public Cell next() {
        return rest.hasNext() ? rest.next() : null;
      }

      @Override
      public void shipped() {}

      @Override
      public void close() {}
    };
  }

  private RetentionRules rules(
      Purge purge, Predicate<Cell> revivable, Predicate<Cell> lasting, long earliestPut) {
    return new RetentionRules(
        scanInfo,
        purge,
        revivable,
        lasting,
        region.store().sequence(),
        earliestPut,
        world.millis(region.server()));
  }

  /** Writes memory to a file. */
  void flush() throws IOException {
    List<Cell> memory = region.store().cells(region.store().memory());
    List<Cell> file = new ArrayList<>();
    Predicate<Cell> retracted = family().orElse(FamilyIndexes.NONE)::isRetracted;
    RetentionMatcher matcher =
        rules(Purge.of(ScanType.COMPACT_RETAIN_DELETES), retracted, retracted, Long.MIN_VALUE)
            .matcher(null);
    if (family().isEmpty()) {
      for (Cell cell : memory) {
        if (matcher.match(cell) == RetentionMatcher.Verdict.KEPT) {
          file.add(cell);
        }
      }
    } else {
      KeepingScanner scanner =
          new KeepingScanner(
              source(memory),
              matcher,
              world.has(Defect.FLUSH_TRIMS) ? cell -> false : family().get()::covers);
      while (scanner.next(file, null)) {
        // What it gives is gathered.
      }
    }
    world.tell(region.server(), () -> "flushes " + region + ": " + Wording.of(file));
    region.store().flushed(memory, file);
    rewritten.accept(memory, file);
  }

  /** Begins a compaction of files that follow one another, unless one is under way. */
  void compact(int from, int to) throws IOException {
    if (compaction.isPresent() || from == to) {
      return;
    }
    ModelStore.Files files = region.store().files(from, to);
    List<Cell> cells = region.store().cells(files);
    boolean all = to - from == region.store().countFiles() || world.has(Defect.PARTIAL_PURGE);
    Purge purge = Purge.of(all ? ScanType.COMPACT_DROP_DELETES : ScanType.COMPACT_RETAIN_DELETES);
    long earliest =
        cells.stream()
            .filter(cell -> cell.getType() == Cell.Type.Put)
            .mapToLong(Cell::getTimestamp)
            .min()
            .orElse(Long.MAX_VALUE);
    FamilyIndexes family = family().orElse(FamilyIndexes.NONE);
    RetentionRules rules = rules(purge, family::isRevivable, family::forgets, earliest);
    RowPieces rows = new RowPieces(source(cells), rules.matcher(null), 1 << 20);
    InternalScanner scanner =
        collector.collect(
            rows,
            purge,
            region.family().getNameAsString(),
            world.has(Defect.NO_COLLECTION) ? FamilyIndexes.NONE : family,
            new GcSettings(GcMode.STREAMING, 1 << 8, 2, GC_TIMEOUT_MILLIS));
    world.tell(
        region.server(), () -> "compacts %s, %s files".formatted(region, all ? "all" : "some"));
    compaction = Optional.of(new Compaction(files, cells, scanner, new ArrayList<>()));
    world.after(1, region.server(), this::goOn);
  }

  private record Compaction(
      ModelStore.Files files, List<Cell> cells, InternalScanner scanner, List<Cell> out) {}

  ModelRegion region() {
    return region;
  }

  boolean isCompacting() {
    return compaction.isPresent();
  }

  private void goOn() {
    Compaction current = compaction.orElseThrow();
    try {
      List<Cell> given = new ArrayList<>();
      boolean more;
      do {
        // As HBase does: a scanner has given enough when it finds enough there.
        given.clear();
        more = current.scanner().next(given, null);
        current.out().addAll(given);
      } while (more && !given.isEmpty());
      if (more) {
        var unused = awaited.whenComplete((done, e) -> world.after(1, region.server(), this::goOn));
        return;
      }
    } catch (IOException e) {
      throw new IllegalStateException("nothing that the model reads fails", e);
    }
    List<Cell> out = current.out();
    out.sort(ModelStore.ORDER);
    world.tell(region.server(), () -> "has compacted " + region + ": " + Wording.of(out));
    region.store().compacted(current.files(), current.cells(), out);
    rewritten.accept(current.cells(), out);
    compaction = Optional.empty();
  }
}
