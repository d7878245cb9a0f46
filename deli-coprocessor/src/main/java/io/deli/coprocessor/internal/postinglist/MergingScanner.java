package io.deli.coprocessor.internal.postinglist;

import io.deli.strategy.CellMerger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** Merges the posting lists that a compaction reads. */
final class MergingScanner implements InternalScanner, Shipper {
  private final InternalScanner scanner;
  private final CellMerger merger;
  private final List<Cell> read = new ArrayList<>();

  MergingScanner(InternalScanner scanner, CellMerger merger) {
    this.scanner = scanner;
    this.merger = merger;
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    boolean more = scanner.next(read, context);
    read.forEach(cell -> merger.add(cell, out::add));
    read.clear();
    if (!more) {
      merger.end(out::add);
    }
    return more;
  }

  /** The merger keeps copies only. */
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
