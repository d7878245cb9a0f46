package io.deli.test.serve;

import static io.deli.test.serve.ServedTable.BY_Q;
import static io.deli.test.serve.ServedTable.COLUMN;
import static io.deli.test.serve.ServedTable.FAMILY;
import static io.deli.test.serve.ServedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Files that are loaded into a table whose index the region servers maintain. */
class LoadedFilesTest {
  private static final int ROWS = 2_500;

  private final ServedTable served = create();
  private final Configuration configuration = MiniCluster.configuration();

  private static ServedTable create() {
    try {
      return ServedTable.create(
          MiniCluster.connection(),
          MiniCluster.uniqueTable("loaded"),
          BY_Q,
          1,
          Bytes.toBytes("r01000"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void areFoundAndFoundAgainWhenLoadedAgain() throws IOException {
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
    try (Table table = served.table()) {
      table.put(put("r00007", "newer"));
      table.delete(new Delete(Bytes.toBytes("r00008")));
    }
    assertThat(served.assertRight(1)).hasSize(ROWS - 1);
    DeliAdmin.of(MiniCluster.connection()).collect(served.name(), ProgressListener.NONE);
    assertThat(served.assertRight(1)).hasSize(ROWS - 1);
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
  }

  @Test
  void thatCannotBeIndexedAreNotLoaded() {
    assertThatThrownBy(() -> load(1, KeyValue.Type.Delete))
        .hasStackTraceContaining("deletes of single versions");
    assertThatThrownBy(() -> load(Long.MAX_VALUE, KeyValue.Type.Put))
        .hasStackTraceContaining("without a timestamp");
  }

  private void load(long timestamp, KeyValue.Type type) throws IOException {
    Path directory = MiniCluster.utility().getDataTestDirOnTestFS("load-" + served.name());
    FileSystem files = directory.getFileSystem(configuration);
    files.delete(directory, true);
    Path file = new Path(new Path(directory, Bytes.toString(FAMILY)), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, new CacheConfig(configuration))
            .withPath(files, file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(
            new KeyValue(
                Bytes.toBytes("r%05d".formatted(i)),
                FAMILY,
                COLUMN,
                timestamp,
                type,
                Bytes.toBytes("v" + i % 10)));
      }
    }
    BulkLoadHFiles.create(configuration).bulkLoad(served.name(), directory);
  }
}
