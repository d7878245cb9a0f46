package io.deli.fileindex.internal.hbase;

import io.deli.fileindex.internal.hbase.StoreInternals.FileObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;

/** Compacts as HBase does, under the eyes of an observer. */
final class ObservedCompactor extends DefaultCompactor {
  private final FileObserver observer;

  ObservedCompactor(HStore store, FileObserver observer) {
    super(store.getReadOnlyConfiguration(), store);
    this.observer = observer;
  }

  @Override
  @SuppressWarnings("checkstyle:ParameterNumber")
  protected boolean performCompaction(
      FileDetails details,
      InternalScanner scanner,
      CellSink writer,
      long smallestReadPoint,
      boolean cleansSequenceIds,
      ThroughputController controller,
      CompactionRequestImpl request,
      CompactionProgress progress)
      throws IOException {
    boolean complete = false;
    try {
      complete =
          super.performCompaction(
              details,
              scanner,
              observer.observe(writer),
              smallestReadPoint,
              cleansSequenceIds,
              controller,
              request,
              progress);
      return complete;
    } finally {
      if (!complete) {
        observer.abandon(writer);
      }
    }
  }

  @Override
  protected List<Path> commitWriter(
      StoreFileWriter writer, FileDetails details, CompactionRequestImpl request)
      throws IOException {
    try {
      // A region that closes waits for its compactions.
      observer.finish(writer, store::areWritesEnabled);
    } catch (InterruptedIOException e) {
      abortWriter(writer);
      throw e;
    }
    return super.commitWriter(writer, details, request);
  }
}
