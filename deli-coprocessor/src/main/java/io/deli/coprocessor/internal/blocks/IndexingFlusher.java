package io.deli.coprocessor.internal.blocks;

import java.io.IOException;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;

/** Flushes as HBase does, and leaves indexes of blocks in the file. */
final class IndexingFlusher extends DefaultStoreFlusher {
  private final IndexingWriters writers;

  IndexingFlusher(HStore store, IndexingWriters writers) {
    super(store.getReadOnlyConfiguration(), store);
    this.writers = writers;
  }

  @Override
  protected void performFlush(
      InternalScanner scanner, CellSink sink, ThroughputController controller) throws IOException {
    super.performFlush(scanner, writers.indexing(sink), controller);
  }

  @Override
  protected void finalizeWriter(StoreFileWriter writer, long sequenceId, MonitoredTask status)
      throws IOException {
    writers.finish(writer);
    super.finalizeWriter(writer, sequenceId, status);
  }
}
