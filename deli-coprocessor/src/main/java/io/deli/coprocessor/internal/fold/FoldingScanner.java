package io.deli.coprocessor.internal.fold;

import io.deli.strategy.CellMerger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** What a compaction reads, folded. */
final class FoldingScanner implements InternalScanner, Shipper {
  private final InternalScanner scanner;
  private final CellMerger fold;
  private final List<Cell> read = new ArrayList<>();

  FoldingScanner(InternalScanner scanner, CellMerger fold) {
    this.scanner = scanner;
    this.fold = fold;
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    boolean more = scanner.next(read, context);
    read.forEach(cell -> fold.add(cell, out::add));
    read.clear();
    if (!more) {
      fold.end(out::add);
    }
    return more;
  }

  /** The fold keeps copies only. */
  @Override
  public void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
