package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.index.FamilyIndexes;
import io.deli.coprocessor.internal.scan.CellSource;
import io.deli.coprocessor.internal.scan.FileCells;
import io.deli.coprocessor.internal.scan.Judgement;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.scan.ScannerCells;
import io.deli.coprocessor.internal.send.DeleteSender;
import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;

/** Makes the compactions of one region collect index garbage. Thread-safe. */
public final class Collector {
  private final DeleteSender sender;
  private final GcMetrics metrics;
  private final RegionWaits waits = new RegionWaits();

  public Collector(DeleteSender sender, GcMetrics metrics) {
    this.sender = sender;
    this.metrics = metrics;
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
    FamilyIndexes left =
        settings.mode() == GcMode.BEFORE && ownFiles && sweep(files, judgement, indexes, settings)
            ? FamilyIndexes.NONE
            : indexes;
    // Another coprocessor's scanner must be heard.
    CellSource cells =
        ownFiles ? FileCells.open(store, files, judgement.readPoint()) : new ScannerCells(scanner);
    if (ownFiles) {
      scanner.close();
    }
    return streaming(cells, judgement, left, settings);
  }

  /**
   * Deletes the entries of everything that a compaction of these files will drop.
   *
   * @return whether all is acknowledged; if not, the compaction is to see to it itself
   */
  private boolean sweep(
      Collection<HStoreFile> files, Judgement judgement, FamilyIndexes indexes, GcSettings settings)
      throws IOException {
    try (StreamingScanner scanner =
        streaming(
            FileCells.open(judgement.store(), files, judgement.readPoint()),
            judgement,
            indexes,
            settings)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more && !waits.isAbandoned() && !scanner.hasWrittenBack()) {
        more = scanner.next(cells, null);
        cells.clear();
        scanner.shipped();
      }
      return !more && !scanner.hasWrittenBack();
    }
  }

  private StreamingScanner streaming(
      CellSource cells, Judgement judgement, FamilyIndexes indexes, GcSettings settings)
      throws IOException {
    return new StreamingScanner(
        new RowPieces(cells, judgement.judge(), settings.windowBytes()),
        new Garbage(indexes),
        new Windows(judgement.store().toString(), settings, sender, waits, metrics),
        metrics);
  }

  /** Ends all waits of the region's compactions, which then write back what they hold. */
  public void abandon() {
    waits.abandon();
  }
}
