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
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
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
  private static final int OF_ONE_REGION = 1_000;

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

  /** HBase's reader throws what would end the server. */
  @Test
  void thatAreMalformedAreNotLoaded() throws IOException {
    Path file = write(1, KeyValue.Type.Put, OF_ONE_REGION);
    byte[] bytes = new byte[(int) files().getFileStatus(file).getLen()];
    try (FSDataInputStream in = files().open(file)) {
      in.readFully(bytes);
    }
    // The length of the first key, behind the header of the first block.
    Bytes.putInt(bytes, HConstants.HFILEBLOCK_HEADER_SIZE, Integer.MAX_VALUE);
    try (FSDataOutputStream out = files().create(file)) {
      out.write(bytes);
    }
    assertThatThrownBy(() -> load(file)).hasStackTraceContaining(file + " is not loaded");
    load(1, KeyValue.Type.Put);
    assertThat(served.assertRight(1)).hasSize(ROWS);
  }

  private void load(long timestamp, KeyValue.Type type) throws IOException {
    load(write(timestamp, type, ROWS));
  }

  private void load(Path file) throws IOException {
    BulkLoadHFiles.create(configuration).bulkLoad(served.name(), file.getParent().getParent());
  }

  private FileSystem files() throws IOException {
    return MiniCluster.utility().getTestFileSystem();
  }

  private Path write(long timestamp, KeyValue.Type type, int rows) throws IOException {
    Path directory = MiniCluster.utility().getDataTestDirOnTestFS("load-" + served.name());
    files().delete(directory, true);
    Path file = new Path(new Path(directory, Bytes.toString(FAMILY)), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, new CacheConfig(configuration))
            .withPath(files(), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int i = 0; i < rows; i++) {
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
    return file;
  }
}
