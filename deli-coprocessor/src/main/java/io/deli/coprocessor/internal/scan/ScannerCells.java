package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** The cells of a scanner that another coprocessor has put before ours. */
public final class ScannerCells implements CellSource {
  private static final int BATCH = 100;

  private final InternalScanner scanner;
  private final ScannerContext limit = ScannerContext.newBuilder().setBatchLimit(BATCH).build();
  private final List<Cell> batch = new ArrayList<>(BATCH);
  private final Deque<Cell> pending = new ArrayDeque<>(BATCH);
  private boolean more = true;

  public ScannerCells(InternalScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public Cell next() throws IOException {
    while (pending.isEmpty() && more) {
      more = scanner.next(batch, limit);
      pending.addAll(batch);
      batch.clear();
    }
    return pending.poll();
  }

  @Override
  public void shipped() throws IOException {
    List<Cell> copies = new ArrayList<>(pending);
    copies.replaceAll(KeyValueUtil::copyToNewKeyValue);
    pending.clear();
    pending.addAll(copies);
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
