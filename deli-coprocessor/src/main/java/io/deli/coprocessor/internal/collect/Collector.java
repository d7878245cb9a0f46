package io.deli.coprocessor.internal.collect;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.FileCells;
import io.deli.coprocessor.internal.scan.Judgement;
import io.deli.coprocessor.internal.scan.Replay;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.scan.ScannerCells;
import io.deli.coprocessor.internal.send.DeleteSender;
import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the compactions of one region collect index garbage. Thread-safe. */
public final class Collector {
  /** So many rows of a file may fail in a run that covers it: with more, an index is in trouble. */
  private static final int FAILED_ROWS = 1_000;

  private final DeleteSender sender;
  private final GcMetrics metrics;
  private final RegionWaits waits = new RegionWaits();
  private final Runs runs;

  /**
   * @param background for what follows a compaction
   */
  public Collector(DeleteSender sender, GcMetrics metrics, Executor background) {
    this.sender = sender;
    this.metrics = metrics;
    runs = new Runs(background, waits);
  }

  /**
   * The scanner that a compaction is to read.
   *
   * @param scanner HBase's own, told to keep everything; it is replaced or wrapped
   */
  public InternalScanner collect(
      HStore store,
      InternalScanner scanner,
      ScanType type,
      CompactionRequest request,
      FamilyIndexes indexes,
      GcSettings settings)
      throws IOException {
    Collection<HStoreFile> files =
        request instanceof CompactionRequestImpl known ? known.getFiles() : List.of();
    Judgement judgement = Judgement.ofFiles(store, type, files);
    boolean ownFiles = !files.isEmpty() && scanner.getClass().equals(StoreScanner.class);
    if (!ownFiles) {
      // Another coprocessor's scanner must be heard. Its cells are of no known file.
      return scanner(
          new ScannerCells(scanner), judgement, new Garbage(indexes), settings, row -> {});
    }
    Units units = units(files, judgement, indexes, settings);
    Map<HStoreFile, Replay> replays =
        settings.mode() == GcMode.STAGED ? runs.replays(files) : Map.of();
    CellSource cells = FileCells.open(store, files, judgement.readPoint(), replays);
    scanner.close();
    return scanner(cells, judgement, units, settings, row -> {});
  }

  private Units units(
      Collection<HStoreFile> files, Judgement judgement, FamilyIndexes indexes, GcSettings settings)
      throws IOException {
    return switch (settings.mode()) {
      case STAGED -> new Covered(indexes);
      case BEFORE ->
          new Garbage(
              sweep(files, judgement, indexes, settings, 0).isPresent()
                  ? FamilyIndexes.NONE
                  : indexes);
      default -> new Garbage(indexes);
    };
  }

  /** Follows a compaction that wrote this file; returns at once. */
  public void compacted(
      HStore store,
      HStoreFile file,
      CompactionRequest request,
      FamilyIndexes indexes,
      GcSettings settings) {
    if (settings.mode() == GcMode.STAGED) {
      runs.cover(
          store,
          file,
          request.isAllFiles() ? ScanType.COMPACT_DROP_DELETES : ScanType.COMPACT_RETAIN_DELETES,
          (of, judgement) -> sweep(List.of(of), judgement, indexes, settings, FAILED_ROWS));
    }
  }

  /**
   * Deletes the entries of everything that a compaction of these files would drop.
   *
   * @param tolerated rows that may fail
   * @return those of which not all is acknowledged; empty if they are too many, or the region
   *     closes
   */
  private Optional<NavigableSet<byte[]>> sweep(
      Collection<HStoreFile> files,
      Judgement judgement,
      FamilyIndexes indexes,
      GcSettings settings,
      int tolerated)
      throws IOException {
    NavigableSet<byte[]> failed = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    try (StreamingScanner scanner =
        scanner(
            FileCells.open(judgement.store(), files, judgement.readPoint()),
            judgement,
            new Garbage(indexes),
            settings,
            failed::add)) {
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

  private StreamingScanner scanner(
      CellSource cells,
      Judgement judgement,
      Units units,
      GcSettings settings,
      Consumer<byte[]> writtenBack)
      throws IOException {
    metrics.collecting();
    return new StreamingScanner(
        new RowPieces(cells, judgement.judge(), settings.windowBytes()),
        units,
        new Windows(judgement.store().toString(), settings, sender, waits, metrics),
        metrics,
        writtenBack);
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
