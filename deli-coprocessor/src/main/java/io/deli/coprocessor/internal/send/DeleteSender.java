package io.deli.coprocessor.internal.send;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Carries deletes to index tables. */
public interface DeleteSender {
  /**
   * Sends deletes without waiting; each is marked as soon as its table answered.
   *
   * @param deletes sorted by table and row
   * @param timeoutMillis after which trying again is pointless
   * @return completes, never exceptionally, when every delete was answered or given up
   */
  CompletableFuture<Void> send(List<IndexDelete> deletes, long timeoutMillis);
}
