package io.deli.coprocessor.internal.collect;

import io.deli.config.DeliSettings;
import io.deli.config.GcMode;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.FileCells;
import io.deli.coprocessor.internal.scan.Replay;
import io.deli.coprocessor.internal.scan.RetentionContext;
import io.deli.coprocessor.internal.scan.RetentionMatcher;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.scan.ScannerCells;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the compactions of one region collect index garbage. Thread-safe. */
public final class Collector {
  /**
   * The settings of a store's garbage collection.
   *
   * @param mode when
   * @param windowBytes of base cells whose deletes go together
   * @param windows under way at a time
   * @param timeoutMillis for the deletes of a window
   */
  public record GcSettings(GcMode mode, long windowBytes, int windows, long timeoutMillis) {

    /**
     * Reads them; a table's own values come first. What is malformed falls back to its default,
     * since a region must open and compact whatever it is told.
     *
     * @param problems is told what is malformed
     */
    public static GcSettings of(Configuration store, Consumer<String> problems) {
      return new GcSettings(
          DeliSettings.GC_MODE.get(store, problems),
          DeliSettings.GC_WINDOW.get(store, problems),
          DeliSettings.GC_WINDOWS.get(store, problems),
          DeliSettings.GC_TIMEOUT.get(store, problems));
    }

    public GcSettings withMode(GcMode other) {
      return new GcSettings(other, windowBytes, windows, timeoutMillis);
    }
  }

  /**
   * The number of rows that may fail in a run that covers a file: with more, an index is in
   * trouble.
   */
  private static final int FAILED_ROWS = 1_000;

  private final IndexDelete.Sender sender;
  private final GcMetrics metrics;
  private final RegionWaits waits;
  private final StagedRuns runs;

  /** The contexts of the compactions under way. */
  private final Map<CompactionRequest, RetentionContext> contexts =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The retention of each family, by its last compaction. */
  private final Map<String, ScanInfo> retentions = new ConcurrentHashMap<>();

  /**
   * The dying versions of each family that the last pass over all of a store's files, or of a
   * stripe's, or such a one under way, has kept.
   */
  private final Map<String, Long> kept = new ConcurrentHashMap<>();

  /**
   * @param waits of the region
   * @param background for what follows a compaction
   */
  public Collector(
      IndexDelete.Sender sender, GcMetrics metrics, RegionWaits waits, Executor background) {
    this.sender = sender;
    this.metrics = metrics;
    this.waits = waits;
    runs = new StagedRuns(background, waits);
  }

  /**
   * The scanner that a compaction is to read.
   *
   * @param retention that HBase and other coprocessors ask for
   * @param scanner HBase's own, told to keep everything; it is replaced or wrapped
   */
  public InternalScanner collect(
      HStore store,
      ScanInfo retention,
      InternalScanner scanner,
      ScanType type,
      CompactionRequest request,
      FamilyIndexes indexes,
      GcSettings settings)
      throws IOException {
    Collection<HStoreFile> files =
        request instanceof CompactionRequestImpl known ? known.getFiles() : List.of();
    RetentionContext context =
        RetentionContext.ofFiles(
            store,
            retention,
            Purge.of(type, scanner),
            indexes::isRevivable,
            indexes::forgets,
            files);
    contexts.put(request, context);
    retentions.put(store.getColumnFamilyName(), retention);
    boolean ownFiles = !files.isEmpty() && scanner.getClass().equals(StoreScanner.class);
    if (!ownFiles) {
      // Another coprocessor's scanner must be heard. Its cells are of no known file.
      return scanner(
          new ScannerCells(scanner), context, garbage(indexes, context), settings, unit -> {});
    }
    Unit.Source units = units(files, context, indexes, settings);
    Map<HStoreFile, Replay> replays =
        mode(store, settings) == GcMode.STAGED ? runs.replays(files) : Map.of();
    InternalScanner collecting =
        scanner(
            FileCells.open(store, files, context.rules().readPoint(), replays),
            context,
            units,
            settings,
            unit -> {});
    scanner.close();
    return collecting;
  }

  /** A run classifies one file, which does not tell of a row whose versions are in several. */
  private static GcMode mode(HStore store, GcSettings settings) {
    return settings.mode() == GcMode.STAGED
            && store.getStoreEngine() instanceof DateTieredStoreEngine
        ? GcMode.STREAMING
        : settings.mode();
  }

  private Unit.Source units(
      Collection<HStoreFile> files,
      RetentionContext context,
      FamilyIndexes indexes,
      GcSettings settings)
      throws IOException {
    return switch (indexes.collectsNothing() ? GcMode.STREAMING : mode(context.store(), settings)) {
      case STAGED -> new CoveredUnits(indexes);
      case BEFORE ->
          garbage(
              sweep(files, context, indexes, settings, 0).isPresent()
                  ? FamilyIndexes.NONE
                  : indexes,
              context);
      default -> garbage(indexes, context);
    };
  }

  private static GarbageUnits garbage(FamilyIndexes indexes, RetentionContext context) {
    return new GarbageUnits(indexes, context.rules().purge());
  }

  /** Follows a compaction that wrote this file; returns at once. */
  public void compacted(
      HStoreFile file, CompactionRequest request, FamilyIndexes indexes, GcSettings settings) {
    RetentionContext compaction = contexts.get(request);
    if (compaction != null && mode(compaction.store(), settings) == GcMode.STAGED) {
      runs.cover(
          file,
          compaction,
          (of, context) -> sweep(List.of(of), context, indexes, settings, FAILED_ROWS));
    }
  }

  /**
   * Deletes the entries of everything that a compaction of these files would drop.
   *
   * @param tolerated rows that may fail
   * @return the rows with deletes that are not acknowledged; empty if they are too many, or the
   *     region closes
   */
  private Optional<NavigableSet<byte[]>> sweep(
      Collection<HStoreFile> files,
      RetentionContext context,
      FamilyIndexes indexes,
      GcSettings settings,
      int tolerated)
      throws IOException {
    NavigableSet<byte[]> failed = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    try (StreamingScanner scanner =
        scanner(
            FileCells.open(context.store(), files, context.rules().readPoint()),
            context,
            garbage(indexes, context),
            settings,
            unit -> failed.add(CellUtil.cloneRow(unit.piece().cells().get(0))))) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more && !waits.isAbandoned() && failed.size() <= tolerated) {
        more = scanner.next(cells, null);
        cells.clear();
        scanner.shipped();
      }
      return more || failed.size() > tolerated ? Optional.empty() : Optional.of(failed);
    }
  }

  /** Takes over the cells: closes them with the scanner, or if there will be none. */
  private StreamingScanner scanner(
      CellSource cells,
      RetentionContext context,
      Unit.Source units,
      GcSettings settings,
      Consumer<Unit> writtenBack)
      throws IOException {
    RetentionMatcher matcher;
    try {
      matcher = context.matcher();
    } catch (IOException | RuntimeException | Error e) {
      cells.close();
      throw e;
    }
    return scanner(
        new RowPieces(cells, matcher, settings.windowBytes()),
        context.rules().purge(),
        context.store().getColumnFamilyName(),
        units,
        settings,
        writtenBack);
  }

  /** The scanner that a compaction is to read in the streaming mode. */
  public InternalScanner collect(
      RowPieces rows, Purge purge, String family, FamilyIndexes indexes, GcSettings settings) {
    return scanner(rows, purge, family, new GarbageUnits(indexes, purge), settings, unit -> {});
  }

  private StreamingScanner scanner(
      RowPieces rows,
      Purge purge,
      String family,
      Unit.Source units,
      GcSettings settings,
      Consumer<Unit> writtenBack) {
    metrics.add(Count.COLLECTIONS, 1);
    Consumer<Unit> told = writtenBack;
    if (purge.isWhole()) {
      if (!(units instanceof CoveredUnits)) {
        kept.put(family, 0L);
      }
      told = told.andThen(unit -> kept.merge(family, (long) unit.dying(), Long::sum));
    }
    return new StreamingScanner(
        rows, units, new Windows(family, settings, sender, waits, metrics), told);
  }

  /**
   * Dying versions that the last passes over all files of the region's families kept, since an
   * index did not acknowledge the deletes of their entries, or a tokenizer failed. What compactions
   * of some files kept meanwhile is not among them.
   */
  public long kept() {
    return kept.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The retention of a store as the last compaction had it; HBase's own if there was none. */
  public ScanInfo retention(HStore store) {
    return retentions.getOrDefault(store.getColumnFamilyName(), store.getScanInfo());
  }

  /** Tells the versions in these files whose entries are deleted already. */
  public Map<HStoreFile, Replay> covered(Collection<HStoreFile> files) throws IOException {
    return runs.replays(files);
  }

  /** Whether the region closes. */
  public boolean isAbandoned() {
    return waits.isAbandoned();
  }

  /** Ends all waits of the region's compactions, which then write back what they hold. */
  public void abandon() {
    waits.abandon();
  }
}
