package io.deli.lab.experiment;

import static org.apache.hadoop.hbase.Size.Unit.MEGABYTE;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/** The files of a table in its directory, below regions and families. */
final class StoreFiles {
  /** Neither one that is being written, nor what lies beside. */
  private static final String OF_TABLE = "data/%s/%s/*/[^.]*/*";

  private static final int ATTEMPTS = 600;
  private static final long PAUSE_NANOS = 100_000_000;

  private StoreFiles() {}

  /**
   * Their size as soon as they are as many as are in use, for those that a compaction made needless
   * stay for a while. Where they are out of sight it is what region servers report, in whole
   * megabytes.
   */
  static double megabytes(Lab lab, TableName table) throws IOException {
    Optional<Path> root = lab.premises().files().map(files -> new Path(files.toUri()));
    if (root.isEmpty()) {
      return reported(lab, table, region -> region.getStoreFileSize().get(MEGABYTE));
    }
    FileSystem disk = root.get().getFileSystem(lab.plain().getConfiguration());
    String ofTable = OF_TABLE.formatted(table.getNamespaceAsString(), table.getQualifierAsString());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      FileStatus[] files = disk.globStatus(new Path(root.get(), ofTable), StoreFileInfo::isHFile);
      if (files.length == reported(lab, table, RegionMetrics::getStoreFileCount)) {
        return Arrays.stream(files).mapToLong(FileStatus::getLen).sum() / 1e6;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IOException("%s keeps files that %s does not use".formatted(root.get(), table));
  }

  private static double reported(Lab lab, TableName table, ToDoubleFunction<RegionMetrics> value)
      throws IOException {
    double sum = 0;
    for (ServerName server : lab.admin().getRegionServers()) {
      for (RegionMetrics region : lab.admin().getRegionMetrics(server, table)) {
        sum += value.applyAsDouble(region);
      }
    }
    return sum;
  }
}
