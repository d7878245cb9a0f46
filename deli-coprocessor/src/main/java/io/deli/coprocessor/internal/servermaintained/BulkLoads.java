package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.spi.Caller;
import io.deli.service.LoadMark;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Writes the entries of files before a region loads them, unless they are there by a {@link
 * LoadMark}. Thread-safe.
 *
 * <p>After that, files may have to be copied from another file system. If that takes so long that
 * readers may have repaired entries, these are written again just before HBase takes the files, and
 * if that takes long, too, before it says so.
 *
 * @param running the files of each load that HBase may take, by identity; weak, since it does not
 *     tell of the end if another observer refuses them
 */
public record BulkLoads(
    Set<List<Pair<byte[], String>>> running,
    MarkedFiles marked,
    List<ServerMaintainedIndex> indexes,
    UnmaintainableColumns unmaintainable,
    BlockingEntrySender sender,
    ReplicatedWrites replicated,
    Supplier<Configuration> configuration,
    long lateNanos) {
  /** The time of the entries of the thread's load, by family. */
  private static final ThreadLocal<Map<byte[], Long>> WRITTEN = new ThreadLocal<>();

  /** Whether HBase may have taken files of the thread's load; null if not. */
  private static final ThreadLocal<Boolean> BEGUN = new ThreadLocal<>();

  /**
   * Writes the entries of files, by family, that are about to be loaded.
   *
   * @throws IOException if that is not done; they must not be loaded then
   */
  public void write(List<Pair<byte[], String>> files) throws IOException {
    for (Pair<byte[], String> file : files) {
      unmaintainable.refuse(file.getFirst());
    }
    Map<String, LoadMark> withEntries = MarkedFiles.among(files);
    marked.require(withEntries);
    List<Pair<byte[], String>> others =
        files.stream().filter(file -> !withEntries.containsKey(file.getSecond())).toList();
    if (!indexes.isEmpty() && !others.isEmpty()) {
      writeEntries(others);
    }
    marked.take(withEntries);
    // Of one that is refused HBase does not tell; the files get their place only behind this.
    running.add(files);
  }

  private void writeEntries(List<Pair<byte[], String>> files) throws IOException {
    Map<byte[], Long> written = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    long begun = MutationEntries.now();
    long patience = TimeUnit.MILLISECONDS.toNanos(Caller.patience(Long.MAX_VALUE));
    BulkLoadEntries loaded = loaded(begun + Math.min(lateNanos, patience));
    User requester = RpcServer.getRequestUser().orElse(User.getCurrent());
    for (Pair<byte[], String> file : files) {
      loaded.write(file.getFirst(), new Path(file.getSecond()), requester);
      written.put(file.getFirst(), begun);
    }
    WRITTEN.set(written);
  }

  private BulkLoadEntries loaded(long endNanos) throws IOException {
    return new BulkLoadEntries(
        indexes,
        sender,
        configuration.get(),
        ServerMaintainedWrites.fresh(),
        endNanos,
        replicated.include(clusters()));
  }

  /** The clusters that have the files of the thread's load. */
  private static List<String> clusters() {
    return RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null)
            instanceof BulkLoadHFileRequest request
        ? request.getClusterIdsList()
        : List.of();
  }

  /**
   * Admits the files of a family, which are where HBase takes them from.
   *
   * @throws IOException if their entries are so old that they had to be written again, and that
   *     failed
   */
  public void admit(byte[] family, List<Path> files) throws IOException {
    BEGUN.set(true);
    Map<byte[], Long> written = WRITTEN.get();
    if (indexes.isEmpty() || written == null) {
      return;
    }
    Long since = written.get(family);
    long now = MutationEntries.now();
    if (since != null && now - since > lateNanos) {
      BulkLoadEntries again = loaded(now + lateNanos);
      for (Path file : files) {
        again.write(family, file, User.getCurrent());
      }
      written.put(family, now);
    }
  }

  /** Whether files are being loaded that cannot be read yet. */
  boolean isAnyRunning() {
    return running.iterator().hasNext();
  }

  /**
   * Ends a load.
   *
   * @param files that were to be loaded
   * @param loaded files that were, by family; empty if none was
   * @throws IOException if that took so long that entries had to be written again, and could not
   */
  public void settle(List<Pair<byte[], String>> files, Map<byte[], List<Path>> loaded)
      throws IOException {
    try {
      if (BEGUN.get() == null) {
        marked.leave(files);
      }
      for (Map.Entry<byte[], List<Path>> each : loaded.entrySet()) {
        admit(each.getKey(), each.getValue());
      }
    } catch (IOException e) {
      throw new DoNotRetryIOException(
          "files %s are loaded, but so late that indexes may lack entries of theirs: verify these"
              .formatted(loaded.values()),
          e);
    } finally {
      running.remove(files);
      WRITTEN.remove();
      BEGUN.remove();
    }
  }
}
