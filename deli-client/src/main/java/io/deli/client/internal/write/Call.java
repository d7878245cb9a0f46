package io.deli.client.internal.write;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/** An operation that waits for its answer. */
interface Call {
  /** What an operation weighs that is no mutation. */
  long OTHER = 128;

  Row operation();

  /** Takes the result, or else the error. */
  void answered(Object result, Throwable error);

  /** About what the operation takes in memory. */
  default long heapSize() {
    return heapSize(operation());
  }

  private static long heapSize(Row operation) {
    if (operation instanceof Mutation mutation) {
      return mutation.heapSize();
    }
    if (operation instanceof RowMutations mutations) {
      return mutations.getMutations().stream().mapToLong(Mutation::heapSize).sum();
    }
    return operation instanceof CheckAndMutate conditional
        ? OTHER + heapSize(conditional.getAction())
        : OTHER;
  }

  /** An operation by itself. */
  record Single(Row operation, CompletableFuture<Object> answer) implements Call {
    Single(Row operation) {
      this(operation, new CompletableFuture<>());
    }

    @Override
    public void answered(Object result, Throwable error) {
      if (error == null) {
        answer.complete(result);
      } else {
        answer.completeExceptionally(error);
      }
    }
  }
}
