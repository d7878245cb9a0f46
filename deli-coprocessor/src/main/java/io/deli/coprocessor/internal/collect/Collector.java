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
import java.util.Collection;
import java.util.List;
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
    CellSource cells = cells(store, scanner, files, judgement.readPoint());
    return new StreamingScanner(
        new RowPieces(cells, judgement.judge(), settings.windowBytes()),
        new Garbage(indexes),
        new Windows(store.toString(), settings, sender, waits, metrics),
        metrics);
  }

  private static CellSource cells(
      HStore store, InternalScanner scanner, Collection<HStoreFile> files, long readPoint)
      throws IOException {
    // Another coprocessor's scanner must be heard.
    if (files.isEmpty() || !scanner.getClass().equals(StoreScanner.class)) {
      return new ScannerCells(scanner);
    }
    CellSource cells = FileCells.open(store, files, readPoint);
    scanner.close();
    return cells;
  }

  /** Ends all waits of the region's compactions, which then write back what they hold. */
  public void abandon() {
    waits.abandon();
  }
}
