package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/** A store of a region that no server has. */
class LocalStore extends HStore {
  static final byte[] FAMILY = Bytes.toBytes("d");

  static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
          .build();

  private static final Configuration CONFIGURATION = HBaseConfiguration.create();

  static {
    // A region server sees to its chunks.
    CONFIGURATION.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
  }

  /** Opens it with the files that it has. */
  LocalStore(HRegionFileSystem region) throws IOException {
    super(
        new HRegion(region, null, CONFIGURATION, TABLE, null),
        TABLE.getColumnFamilies()[0],
        CONFIGURATION,
        false);
  }

  /** A region's directory within another. */
  static HRegionFileSystem region(Path directory, String table) throws IOException {
    var dir = new org.apache.hadoop.fs.Path(directory.toUri());
    return HRegionFileSystem.createRegionOnFileSystem(
        CONFIGURATION,
        dir.getFileSystem(CONFIGURATION),
        dir,
        RegionInfoBuilder.newBuilder(TableName.valueOf(table)).build());
  }

  /** Writes a file without indexes, of a number of rows with the same value. */
  static void write(HRegionFileSystem region, String name, int rows, byte[] value)
      throws IOException {
    FileSystem files = region.getFileSystem();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(CONFIGURATION, new CacheConfig(CONFIGURATION), files)
            .withFilePath(
                new org.apache.hadoop.fs.Path(region.getStoreDir(Bytes.toString(FAMILY)), name))
            .withFileContext(new HFileContextBuilder().build())
            .build();
    for (int row = 0; row < rows; row++) {
      writer.append(new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, value));
    }
    writer.close();
  }
}
