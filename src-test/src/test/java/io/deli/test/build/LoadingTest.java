package io.deli.test.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.ProgressListener;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.tools.files.Loading;
import io.deli.tools.files.Staging;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a table does not load. */
class LoadingTest {
  /** Does not answer in time when it is asked for the files of a directory. */
  public static final class SilentFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("silent:///");
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path directory) throws IOException {
      throw new SocketTimeoutException("no answer");
    }
  }

  /** Though its exception is an {@link java.io.InterruptedIOException}. */
  @Test
  void aTimeOutIsNoInterruption(@TempDir Path root) throws IOException {
    TableName name = MiniCluster.uniqueTable("silent");
    MiniCluster.utility().createTable(name, TestTable.FAMILY).close();
    Configuration conf =
        MiniCluster.configuration("fs.silent.impl", SilentFileSystem.class.getName());
    conf.set(HConstants.HBASE_DIR, "silent://" + root);
    conf.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, root.toString());
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Staging staging = Staging.open(connection, "deli-load", name)) {
      Loading loading =
          new Loading(
              connection,
              name,
              new Loading.Work(() -> {}, "load otherwise", "load again"),
              staging,
              ProgressListener.NONE);
      assertThatThrownBy(() -> loading.load(staging.at("files")))
          .hasMessageContaining("has not taken all files: no answer")
          .hasMessageEndingWith("load again");
      assertThat(Thread.interrupted()).isFalse();
    }
  }
}
