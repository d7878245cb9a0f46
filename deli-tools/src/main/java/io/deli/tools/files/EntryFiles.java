package io.deli.tools.files;

import io.deli.client.BuildTask;
import io.deli.client.EntryWriter;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;

/**
 * Has the threads of a build write entries as HFiles, which the index table loads. It needs access
 * to HBase's file system.
 *
 * <p>A load flushes the regions that it goes to, and adds a file to each. So runs are large: all of
 * them together have a quarter of the heap.
 */
public final class EntryFiles implements EntryWriter {
  private static final long MOST_BYTES = 128L << 20;
  private static final int HEAP_SHARE = 4;

  @Override
  public void requireFit(IndexDefinition definition) {
    Loading.requireFit(definition, "--files");
  }

  @Override
  public Runs open(BuildTask task, int threads) throws IOException {
    TableName table = task.index().table();
    Duration age =
        Duration.ofMillis(DeliSettings.BUILD_FILES_AGE.get(task.connection().getConfiguration()));
    Staging staging = Staging.open(task);
    try {
      Loading loading = new Loading(task, staging, ProgressListener.NONE);
      loading.requirePlain();
      return new FileRuns(
          staging,
          RegionFiles.of(task.connection(), table, staging.fileSystem()),
          loading,
          bytes(Runtime.getRuntime().maxMemory(), threads),
          age);
    } catch (IOException | RuntimeException e) {
      staging.close();
      throw e;
    }
  }

  /** Bytes that each thread may hold in memory. */
  static long bytes(long heap, int threads) {
    return Math.min(MOST_BYTES, heap / HEAP_SHARE / threads);
  }
}
