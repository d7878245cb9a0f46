package io.deli.lab.experiment.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/** The files of a table in its directory, below regions and families. */
final class StoreFiles {
  private static final int DEPTH = 3;
  private static final int ATTEMPTS = 600;
  private static final long PAUSE_NANOS = 100_000_000;

  private StoreFiles() {}

  /** How many files there should be. */
  @FunctionalInterface
  interface Count {
    double get() throws IOException;
  }

  /**
   * The size of all, as soon as they are as many as are in use: those that a compaction made
   * needless stay for a while.
   */
  static long bytes(Path table, Count used) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<Path> files = files(table);
      if (files.size() == used.get()) {
        return bytes(files);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IOException(table + " keeps files that its table does not use");
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

  private static long bytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }
}
