package io.deli.coprocessor.internal.postinglist;

import io.deli.coprocessor.internal.scan.ForwardingScanner;
import io.deli.strategy.CellMerger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** Merges the posting lists that a compaction reads. */
final class MergingScanner extends ForwardingScanner {
  private final CellMerger merger;
  private final List<Cell> read = new ArrayList<>();

  MergingScanner(InternalScanner scanner, CellMerger merger) {
    super(scanner);
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
}
