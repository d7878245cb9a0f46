package io.deli.coprocessor.internal.serve;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;

/** Writes the entries of files that a region takes, ahead of them. Thread-safe. */
public final class ServedFiles {
  private final List<Served> indexes;
  private final Unserved unserved;
  private final IndexWait index;
  private final Configuration configuration;
  private final long lateNanos;

  ServedFiles(
      List<Served> indexes,
      Unserved unserved,
      IndexWait index,
      Configuration configuration,
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
    long patienceMillis =
        RpcServer.getCurrentCall()
            .map(call -> call.getDeadline() - EnvironmentEdgeManager.currentTime())
            .orElse(Long.MAX_VALUE);
    LoadedFiles loaded =
        new LoadedFiles(
            indexes,
            index,
            configuration,
            ServedWrites.fresh(),
            System.nanoTime() + Math.min(lateNanos, TimeUnit.MILLISECONDS.toNanos(patienceMillis)));
    for (Pair<byte[], String> file : files) {
      loaded.announce(file.getFirst(), new Path(file.getSecond()));
    }
  }
}
