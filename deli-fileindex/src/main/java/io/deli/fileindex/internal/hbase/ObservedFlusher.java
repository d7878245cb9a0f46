package io.deli.fileindex.internal.hbase;

import io.deli.fileindex.internal.hbase.StoreInternals.FileObserver;
import java.io.IOException;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.DefaultStoreFlusher;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;

/** Flushes as HBase does, under the eyes of an observer. */
final class ObservedFlusher extends DefaultStoreFlusher {
  private final FileObserver observer;

  ObservedFlusher(HStore store, FileObserver observer) {
    super(store.getReadOnlyConfiguration(), store);
    this.observer = observer;
  }

  @Override
  protected void performFlush(
      InternalScanner scanner, CellSink sink, ThroughputController controller) throws IOException {
    boolean complete = false;
    try {
      super.performFlush(scanner, observer.observe(sink), controller);
      complete = true;
    } finally {
      if (!complete) {
        observer.abandon(sink);
      }
    }
  }

  @Override
  protected void finalizeWriter(StoreFileWriter writer, long sequenceId, MonitoredTask status)
      throws IOException {
    observer.finish(writer, () -> true);
    super.finalizeWriter(writer, sequenceId, status);
  }
}
