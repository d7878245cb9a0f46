package io.deli.client.internal.write;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/** An operation that waits for its answer. */
record Call(Row operation, CompletableFuture<Object> answer) {
  /** What an operation weighs that is no mutation. */
  private static final long OTHER = 128;

  Call(Row operation) {
    this(operation, new CompletableFuture<>());
  }

  void answered(Object result, Throwable error) {
    if (error == null) {
      answer.complete(result);
    } else {
      answer.completeExceptionally(error);
    }
  }

  /** Answers calls with what others get; both in the same order. */
  static void link(List<CompletableFuture<Object>> answers, List<Call> calls) {
    for (int i = 0; i < answers.size(); i++) {
      Answers.then(answers.get(i), calls.get(i)::answered);
    }
  }

  long heapSize() {
    return heapSize(operation);
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
}
