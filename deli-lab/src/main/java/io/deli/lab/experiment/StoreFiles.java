package io.deli.lab.experiment;

import static org.apache.hadoop.hbase.Size.Unit.MEGABYTE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/** The files of a table in its directory, below regions and families. */
final class StoreFiles {
  private static final int DEPTH = 3;
  private static final int ATTEMPTS = 600;
  private static final long PAUSE_NANOS = 100_000_000;

  private StoreFiles() {}

  /**
   * Their size as soon as they are as many as are in use, for those that a compaction made needless
   * stay for a while. Where they are out of sight it is what region servers report, in whole
   * megabytes.
   */
  static double megabytes(Lab lab, TableName table) throws IOException {
    Optional<Path> root = lab.premises().files();
    if (root.isEmpty()) {
      return reported(lab, table, region -> region.getStoreFileSize().get(MEGABYTE));
    }
    Path directory =
        root.get()
            .resolve("data")
            .resolve(table.getNamespaceAsString())
            .resolve(table.getQualifierAsString());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<Path> files = files(directory);
      if (files.size() == reported(lab, table, RegionMetrics::getStoreFileCount)) {
        return files.stream().mapToLong(file -> file.toFile().length()).sum() / 1e6;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IOException(directory + " keeps files that its table does not use");
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

  private static List<Path> files(Path table) throws IOException {
    try (Stream<Path> all = Files.find(table, DEPTH, (file, found) -> found.isRegularFile())) {
      return all.filter(file -> isOfStore(table.relativize(file))).toList();
    } catch (UncheckedIOException e) {
      // A file that went while we looked: there are others now.
      if (e.getCause() instanceof NoSuchFileException) {
        return files(table);
      }
      throw e.getCause();
    }
  }

  /** Neither one that is being written, nor what lies beside. */
  private static boolean isOfStore(Path file) {
    return file.getNameCount() == DEPTH
        && StoreFileInfo.isHFile(file.getFileName().toString())
        && !file.getName(1).toString().startsWith(".");
  }
}
