package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.scan.RowPieces;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.GcMetrics.Count;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * The scanner of a compaction that collects: gives rows as HBase would keep them, once the entries
 * of the dropped versions are deleted, and whole where that failed.
 *
 * <p>Rows without dying versions of indexed columns pass straight through unless others wait before
 * them.
 */
final class StreamingScanner implements InternalScanner, Shipper {
  private static final int BATCH = 50;

  /** Cells after which HBase is to ask whether the region closes, though none is given. */
  private static final int MOST_SEEN = 10_000;

  private final RowPieces pieces;
  private final Unit.Source units;
  private final Windows windows;
  private final GcMetrics metrics;
  private final Consumer<Unit> writtenBack;

  /** The unit whose deletes are not all in windows yet. */
  private Unit filling;

  private boolean ended;
  private int seen;

  /**
   * @param writtenBack is told of every row, or piece of one, that stays for want of an
   *     acknowledgement
   */
  StreamingScanner(
      RowPieces pieces, Unit.Source units, Windows windows, Consumer<Unit> writtenBack) {
    this.pieces = pieces;
    this.units = units;
    this.windows = windows;
    metrics = windows.metrics();
    this.writtenBack = writtenBack;
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    seen = 0;
    while (out.size() < BATCH && seen < MOST_SEEN) {
      boolean mustWait = ended || windows.isFull();
      Window settled = windows.poll(mustWait);
      if (settled != null) {
        settled.emit(out, this::noteWrittenBack);
      } else if (ended) {
        return !windows.isEmpty();
      } else if (mustWait) {
        return true;
      } else if (filling != null) {
        filling = windows.add(filling) ? null : filling;
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
    metrics.add(Count.SEEN, piece.size());
    seen += piece.size();
    Unit unit = units.unit(piece);
    metrics.add(Count.DYING, unit.dying());
    if (unit.dying() == 0 && windows.isEmpty()) {
      unit.emit(out, this::noteWrittenBack);
    } else {
      filling = unit;
    }
  }

  private void noteWrittenBack(Unit unit) {
    metrics.add(Count.WRITTEN_BACK, unit.dying());
    writtenBack.accept(unit);
  }

  @Override
  public void shipped() throws IOException {
    windows.beforeShipped();
    if (filling != null) {
      filling.piece().beforeShipped();
    }
    pieces.shipped();
  }

  @Override
  public void close() throws IOException {
    filling = null;
    windows.close();
    pieces.close();
  }
}
