package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * What a compaction reads: the rows as HBase would keep them, once the entries of what is dropped
 * are deleted, and whole where that failed.
 *
 * <p>Rows without dying versions of indexed columns pass straight through unless others wait before
 * them.
 */
final class StreamingScanner implements InternalScanner, Shipper {
  private static final int BATCH = 50;

  private final RowPieces pieces;
  private final Garbage garbage;
  private final Windows windows;
  private final GcMetrics metrics;
  private boolean ended;
  private boolean hasWrittenBack;

  StreamingScanner(RowPieces pieces, Garbage garbage, Windows windows, GcMetrics metrics) {
    this.pieces = pieces;
    this.garbage = garbage;
    this.windows = windows;
    this.metrics = metrics;
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    while (out.size() < BATCH) {
      boolean mustWait = ended || windows.isFull();
      Window settled = windows.poll(mustWait);
      if (settled != null) {
        noteWrittenBack(settled.emit(out));
      } else if (ended) {
        return !windows.isEmpty();
      } else if (mustWait) {
        return true;
      } else {
        read(out);
      }
    }
    return true;
  }

  private void read(List<Cell> out) throws IOException {
    RowPiece piece = pieces.next();
    if (piece == null) {
      ended = true;
      windows.send();
      return;
    }
    metrics.seen(piece.size());
    Unit unit = garbage.unit(piece, windows);
    metrics.dying(unit.dying());
    if (unit.isSettled() && windows.isEmpty()) {
      noteWrittenBack(unit.emit(out));
    } else {
      windows.add(unit);
    }
  }

  private void noteWrittenBack(int cells) {
    hasWrittenBack |= cells > 0;
    metrics.writtenBack(cells);
  }

  /** Whether a dying version was kept so far. */
  boolean hasWrittenBack() {
    return hasWrittenBack;
  }

  @Override
  public void shipped() throws IOException {
    windows.beforeShipped();
    pieces.shipped();
  }

  @Override
  public void close() throws IOException {
    pieces.close();
  }
}
