package io.deli.coprocessor.internal.serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Writes the entries of files that a region takes, ahead of them. Thread-safe.
 *
 * <p>After they are announced, files may have to be copied from another file system. If that takes
 * so long that readers may have repaired entries, these are written again just before HBase takes
 * the files, and if that takes long, too, before it says so.
 */
public final class ServedFiles {
  /** Since when the entries hold, by family, of what the thread loads: one load at a time. */
  private static final ThreadLocal<Map<byte[], Long>> ANNOUNCED = new ThreadLocal<>();

  private final List<Served> indexes;
  private final Unserved unserved;
  private final IndexWait index;
  private final Supplier<Configuration> configuration;
  private final long lateNanos;

  ServedFiles(
      List<Served> indexes,
      Unserved unserved,
      IndexWait index,
      Supplier<Configuration> configuration,
      long lateNanos) {
    this.indexes = indexes;
    this.unserved = unserved;
    this.index = index;
    this.configuration = configuration;
    this.lateNanos = lateNanos;
  }

  /**
   * Announces files, by family, that are about to be loaded.
   *
   * @throws IOException if that is not done; they must not be loaded then
   */
  public void announce(List<Pair<byte[], String>> files) throws IOException {
    for (Pair<byte[], String> file : files) {
      unserved.refuse(file.getFirst());
    }
    if (indexes.isEmpty()) {
      return;
    }
    Map<byte[], Long> announced = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    long begun = System.nanoTime();
    LoadedFiles loaded = loaded(begun + Math.min(lateNanos, patienceNanos()));
    User requester = RpcServer.getRequestUser().orElse(User.getCurrent());
    for (Pair<byte[], String> file : files) {
      loaded.announce(file.getFirst(), new Path(file.getSecond()), requester);
      announced.put(file.getFirst(), begun);
    }
    ANNOUNCED.set(announced);
  }

  private static long patienceNanos() {
    return RpcServer.getCurrentCall()
        .map(call -> call.getDeadline() - EnvironmentEdgeManager.currentTime())
        .map(TimeUnit.MILLISECONDS::toNanos)
        .orElse(Long.MAX_VALUE);
  }

  private LoadedFiles loaded(long endNanos) {
    return new LoadedFiles(indexes, index, configuration.get(), ServedWrites.fresh(), endNanos);
  }

  /**
   * Lets the files of a family be taken, which are where HBase takes them from.
   *
   * @throws IOException if they were announced so long ago that they had to be again, and that
   *     failed
   */
  public void admit(byte[] family, List<Path> files) throws IOException {
    Map<byte[], Long> announced = ANNOUNCED.get();
    if (indexes.isEmpty() || announced == null) {
      return;
    }
    Long since = announced.get(family);
    long now = System.nanoTime();
    if (since != null && now - since > lateNanos) {
      LoadedFiles again = loaded(now + lateNanos);
      for (Path file : files) {
        again.announce(family, file, User.getCurrent());
      }
      announced.put(family, now);
    }
  }

  /**
   * Ends a load.
   *
   * @param files what was taken, by family; empty if nothing was
   * @throws IOException if that took so long that they had to be announced again, and could not
   */
  public void settle(Map<byte[], List<Path>> files) throws IOException {
    try {
      for (Map.Entry<byte[], List<Path>> each : files.entrySet()) {
        admit(each.getKey(), each.getValue());
      }
    } catch (IOException e) {
      throw new DoNotRetryIOException(
          "files %s are loaded, but so late that indexes may lack entries of theirs: verify these"
              .formatted(files.values()),
          e);
    } finally {
      ANNOUNCED.remove();
    }
  }
}
