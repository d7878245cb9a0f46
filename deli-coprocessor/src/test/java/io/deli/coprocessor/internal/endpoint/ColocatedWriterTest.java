package io.deli.coprocessor.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColocatedWriterTest {
  private static final RegionInfo ROWS =
      RegionInfoBuilder.newBuilder(TableName.valueOf("rows")).build();

  @TempDir Path directory;

  private Configuration configuration(String provider) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(HConstants.HBASE_DIR, directory.toUri().toString());
    configuration.set(WALFactory.WAL_PROVIDER, provider);
    configuration.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    return configuration;
  }

  private static WALFactory factory(Configuration configuration, int port) throws Exception {
    return new WALFactory(configuration, ServerName.valueOf("localhost", port, 1).toString());
  }

  @Test
  void onlyALogThatWritesAgainInOrderCoversWhatWasAppendedBefore() throws Exception {
    WALFactory asynchronous = factory(configuration("asyncfs"), 1);
    WALFactory other = factory(configuration("filesystem"), 2);
    try {
      WAL log = asynchronous.getWAL(ROWS);
      assertThat(ColocatedWriter.coversBefore(Set.of(log), log)).isTrue();
      WAL unordered = other.getWAL(ROWS);
      assertThat(ColocatedWriter.coversBefore(Set.of(unordered), unordered)).isFalse();
      assertThat(ColocatedWriter.coversBefore(Set.of(unordered), log)).isFalse();
      assertThat(ColocatedWriter.coversBefore(Set.of(log, unordered), log)).isFalse();
    } finally {
      asynchronous.close();
      other.close();
    }
  }
}
