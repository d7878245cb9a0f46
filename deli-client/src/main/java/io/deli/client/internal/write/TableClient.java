package io.deli.client.internal.write;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/**
 * Sends operations to one table. Thread-safe; never blocks; retries by itself. A failed operation
 * may nevertheless have been applied.
 *
 * <p>The answer to an operation is the one of HBase's {@code AsyncTable.batch}: a {@code Result},
 * empty for a Put or Delete, or a {@code CheckAndMutateResult}. Futures may be completed by an I/O
 * thread.
 */
@FunctionalInterface
public interface TableClient {
  /**
   * Sends operations together. The future never fails: it completes with all answers, in the order
   * of the operations, and the answer of a failed operation is its {@link Throwable}.
   */
  CompletableFuture<Object[]> send(List<? extends Row> operations);

  /** Sends one operation; the future fails if it does. */
  default CompletableFuture<Object> send(Row operation) {
    return send(List.of(operation)).thenCompose(TableClient::only);
  }

  /** Returns the answer to the only operation of a list, as a future that fails if it did. */
  static CompletableFuture<Object> only(Object[] answers) {
    return answers[0] instanceof Throwable failure
        ? CompletableFuture.failedFuture(failure)
        : CompletableFuture.completedFuture(answers[0]);
  }
}
