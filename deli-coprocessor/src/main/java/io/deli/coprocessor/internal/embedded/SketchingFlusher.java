package io.deli.coprocessor.internal.embedded;

import java.io.IOException;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;

/** Flushes as HBase does, and leaves a sketch in the file. */
final class SketchingFlusher extends DefaultStoreFlusher {
  private final Sketcher sketcher;

  SketchingFlusher(HStore store, Sketcher sketcher) {
    super(store.getReadOnlyConfiguration(), store);
    this.sketcher = sketcher;
  }

  @Override
  protected void performFlush(
      InternalScanner scanner, CellSink sink, ThroughputController controller) throws IOException {
    super.performFlush(scanner, sketcher.sketching(sink), controller);
  }

  @Override
  protected void finalizeWriter(StoreFileWriter writer, long sequenceId, MonitoredTask status)
      throws IOException {
    sketcher.finish(writer);
    super.finalizeWriter(writer, sequenceId, status);
  }
}
