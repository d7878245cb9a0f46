package io.deli.tools.files;

import io.deli.entry.EntryCodec;
import io.deli.service.PrimaryRegions;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Writes entries as HFiles, one for each region of the index table that gets any, as that would
 * write them. What {@code HFileOutputFormat2} does, without a job, and without the copies that it
 * makes of each cell's row and family.
 */
final class RegionFiles {
  private final Connection connection;
  private final TableName table;
  private final FileSystem files;
  private final ColumnFamilyDescriptor family;
  private final Configuration conf;

  private RegionFiles(Connection connection, FileSystem files, TableDescriptor descriptor) {
    this.connection = connection;
    this.table = descriptor.getTableName();
    this.files = files;
    this.family = descriptor.getColumnFamily(EntryCodec.family());
    this.conf =
        StoreUtils.createStoreConfiguration(connection.getConfiguration(), descriptor, family);
  }

  static RegionFiles of(Connection connection, TableName table, FileSystem files)
      throws IOException {
    try (Table entries = connection.getTable(table)) {
      return new RegionFiles(connection, files, entries.getDescriptor());
    }
  }

  /** Writes entries, which are sorted, in a directory for their family. */
  void write(List<KeyValue> sorted, Path directory) throws IOException {
    Path own = new Path(directory, family.getNameAsString());
    int from = 0;
    // If they are others when they load the files, HBase cuts those.
    for (byte[] start : PrimaryRegions.startKeys(connection, table)) {
      int to = behind(sorted, start);
      writeFile(sorted.subList(from, Math.max(from, to)), own);
      from = Math.max(from, to);
    }
    writeFile(sorted.subList(from, sorted.size()), own);
  }

  /** The number of cells before a row. */
  private static int behind(List<KeyValue> sorted, byte[] row) {
    Cell first = KeyValueUtil.createFirstOnRow(row);
    int at = Collections.binarySearch(sorted, first, CellComparator.getInstance());
    return at < 0 ? -at - 1 : at;
  }

  private void writeFile(List<KeyValue> cells, Path directory) throws IOException {
    if (cells.isEmpty()) {
      return;
    }
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, files)
            .withOutputDir(directory)
            .withBloomType(family.getBloomFilterType())
            .withFileContext(context())
            .build();
    try {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
      writer.appendFileInfo(
          HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(EnvironmentEdgeManager.currentTime()));
      writer.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(true));
      writer.appendTrackedTimestampsToMetadata();
    } finally {
      writer.close();
    }
  }

  private HFileContext context() {
    return new HFileContextBuilder()
        .withTableName(table.getName())
        .withColumnFamily(family.getName())
        .withCompression(family.getCompressionType())
        .withDataBlockEncoding(family.getDataBlockEncoding())
        .withBlockSize(family.getBlocksize())
        .withChecksumType(StoreUtils.getChecksumType(conf))
        .withBytesPerCheckSum(StoreUtils.getBytesPerChecksum(conf))
        .withIncludesTags(true)
        .withCreateTime(EnvironmentEdgeManager.currentTime())
        .build();
  }
}
