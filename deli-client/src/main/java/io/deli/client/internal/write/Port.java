package io.deli.client.internal.write;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/**
 * The way of operations to one table. Thread-safe; never blocks; retries by itself; a failed
 * operation may nevertheless have been applied.
 *
 * <p>An answer is what HBase's batch gives for the operation: a {@code Result}, empty for a Put or
 * Delete, or a {@code CheckAndMutateResult}. It may come on an I/O thread.
 */
@FunctionalInterface
public interface Port {
  /**
   * Sends several at once. Their answers come together, in their order; the answer of one that
   * failed is its {@link Throwable}, and the future itself does not fail.
   */
  CompletableFuture<Object[]> send(List<? extends Row> operations);

  /** Sends one; its failure is the future's. */
  default CompletableFuture<Object> send(Row operation) {
    return send(List.of(operation)).thenCompose(Answers::only);
  }
}
