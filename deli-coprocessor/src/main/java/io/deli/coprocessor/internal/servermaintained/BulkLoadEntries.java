package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.spi.Caller;
import io.deli.coprocessor.spi.Contained;
import io.deli.entry.WriteId;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.security.User;

/**
 * Writes the entries of files that are about to be loaded. Used by one thread.
 *
 * <p>Entries get an id of their own: the same file may be loaded again after its rows were deleted,
 * and a tombstone of the first time must not mask them. Cells in files carry no ids, so no
 * compaction knows these entries; readers repair those whose version is gone.
 */
final class BulkLoadEntries {
  private final List<ServerMaintainedIndex> indexes;
  private final BlockingEntrySender sender;
  private final Configuration configuration;
  private final WriteId id;
  private final long endNanos;
  private final boolean replicated;
  private final List<IndexPut> puts = new ArrayList<>();
  private long bytes;

  /**
   * @param endNanos by {@link MutationEntries#now}, when nobody waits for the load any more
   * @param replicated whether another cluster has done the load
   */
  BulkLoadEntries(
      List<ServerMaintainedIndex> indexes,
      BlockingEntrySender sender,
      Configuration configuration,
      WriteId id,
      long endNanos,
      boolean replicated) {
    this.indexes = indexes;
    this.sender = sender;
    this.configuration = configuration;
    this.id = id;
    this.endNanos = endNanos;
    this.replicated = replicated;
  }

  /**
   * Writes the entries of a file of a family.
   *
   * @param reader who is to be allowed to read it
   */
  void write(byte[] family, Path file, User reader) throws IOException {
    List<ServerMaintainedIndex> ofFamily =
        indexes.stream().filter(each -> Arrays.equals(each.family(), family)).toList();
    if (!ofFamily.isEmpty()) {
      Contained.run(
          () -> write(ofFamily, file, reader),
          e -> refusal(file, "cannot be read and indexed: " + e, e));
    }
  }

  private void write(List<ServerMaintainedIndex> ofFamily, Path file, User reader)
      throws IOException {
    try (FileSystem files = files(file, reader);
        HFile.Reader cells =
            HFile.createReader(files, file, CacheConfig.DISABLED, true, configuration)) {
      HFileScanner scanner = cells.getScanner(configuration, false, false);
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        for (ServerMaintainedIndex each : ofFamily) {
          write(each, scanner.getCell(), file);
        }
      }
    }
    send(file);
  }

  /**
   * The file system as that user sees it. Not from the cache: HBase closes what that has for a user
   * as soon as another load of theirs ends.
   */
  private FileSystem files(Path file, User reader) throws IOException {
    Configuration uncached = new Configuration(configuration);
    String scheme =
        Optional.ofNullable(file.toUri().getScheme())
            .orElse(FileSystem.getDefaultUri(configuration).getScheme());
    uncached.setBoolean("fs.%s.impl.disable.cache".formatted(scheme), true);
    PrivilegedExceptionAction<FileSystem> open = () -> file.getFileSystem(uncached);
    try {
      return reader.runAs(open);
    } catch (InterruptedException e) {
      throw Caller.interrupted("interrupted while %s was opened".formatted(file), e);
    }
  }

  private void write(ServerMaintainedIndex maintained, Cell cell, Path file) throws IOException {
    if (maintained.exposes(cell)) {
      throw refusal(file, "holds deletes of single versions; delete these by HBase's client", null);
    }
    if (cell.getType() != Cell.Type.Put || !maintained.index().key().include(cell)) {
      return;
    }
    if (maintained.index().key().areJoined()) {
      throw refusal(
          file,
          "holds columns that index '%s' joins; put these by HBase's client"
              .formatted(maintained.index().name()),
          null);
    }
    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
      throw refusal(file, "holds cells without a timestamp; give them one", null);
    }
    try {
      List<IndexPut> entries =
          maintained
              .index()
              .write(BaseVersion.of(cell, id), new Put(CellUtil.cloneRow(cell)))
              .stream()
              .map(put -> new IndexPut(maintained.index().table(), put))
              .toList();
      puts.addAll(entries);
      bytes += IndexPut.heapSize(entries);
    } catch (InvalidIndexException e) {
      // As of a replicated Put.
      if (!replicated || !MutationEntries.isOfValue(e)) {
        throw refusal(file, e.getMessage(), e);
      }
    }
    if (bytes >= sender.bufferBytes()) {
      send(file);
    }
  }

  private void send(Path file) throws IOException {
    if (MutationEntries.now() - endNanos > 0) {
      throw refusal(
          file,
          "takes longer to index than loads may take; raise hbase.rpc.timeout or cut it",
          null);
    }
    sender.sendAll(puts);
    puts.clear();
    bytes = 0;
  }

  private static DoNotRetryIOException refusal(Path file, String reason, Throwable cause) {
    return new DoNotRetryIOException("file " + file + " is not loaded: it " + reason, cause);
  }
}
