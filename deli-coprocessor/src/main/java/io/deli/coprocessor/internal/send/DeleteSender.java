package io.deli.coprocessor.internal.send;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;

/** Carries deletes to index tables. */
public interface DeleteSender {
  /**
   * Sends deletes to one index table without waiting, in one request to each region server that has
   * some of them. Each is marked as soon as its server answers.
   *
   * @param deletes sorted by row
   * @param timeoutMillis after which trying again is pointless
   * @param acknowledged called by any thread, each time that some are acknowledged
   * @return completes, never exceptionally, when every delete was answered or given up
   */
  CompletableFuture<Void> send(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged);
}
