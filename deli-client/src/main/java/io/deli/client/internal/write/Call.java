package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.HeapSize;

/**
 * An operation in flight, and the receiver of its answer.
 *
 * @param receiver takes the result, or else the error, once
 */
record Call(Row operation, BiConsumer<Object, Throwable> receiver) {
  /** Approximate heap size of an operation that is no mutation. */
  private static final long OTHER = 128;

  void answered(Object result, Throwable error) {
    receiver.accept(result, error);
  }

  /**
   * Sends operations and collects their answers.
   *
   * @param sender sends the calls, in the order of the operations
   * @return all answers in that order; that of a failed operation is its error
   */
  static CompletableFuture<Object[]> together(
      List<? extends Row> operations, Consumer<List<Call>> sender) {
    Object[] answers = new Object[operations.size()];
    CompletableFuture<Object[]> done = new CompletableFuture<>();
    AtomicInteger missing = new AtomicInteger(answers.length);
    List<Call> calls = new ArrayList<>(answers.length);
    for (int i = 0; i < answers.length; i++) {
      int place = i;
      calls.add(
          new Call(
              operations.get(i),
              (result, error) -> {
                answers[place] = error == null ? result : error;
                if (missing.decrementAndGet() == 0) {
                  done.complete(answers);
                }
              }));
    }
    if (calls.isEmpty()) {
      done.complete(answers);
    } else {
      sender.accept(calls);
    }
    return done;
  }

  /** About what the operation takes in memory. */
  long heapSize() {
    return heapSize(operation);
  }

  private static long heapSize(Row operation) {
    if (operation instanceof HeapSize sized) {
      return sized.heapSize();
    }
    if (operation instanceof RowMutations mutations) {
      return mutations.getMutations().stream().mapToLong(Mutation::heapSize).sum();
    }
    return operation instanceof CheckAndMutate conditional
        ? OTHER + heapSize(conditional.getAction())
        : OTHER;
  }

  /** The mutations of an operation; those of a condition, whether it holds or not. */
  static Stream<Mutation> mutations(Row operation) {
    if (operation instanceof RowMutations mutations) {
      return mutations.getMutations().stream();
    }
    if (operation instanceof CheckAndMutate conditional) {
      return mutations(conditional.getAction());
    }
    return operation instanceof Mutation mutation ? Stream.of(mutation) : Stream.empty();
  }

  /** The priority that was set for the operation, or that none was. */
  int priority() {
    return priority(operation);
  }

  /** Whether a priority was set that a batch of HBase's client would not have. */
  boolean losesPriority() {
    return !(operation instanceof OperationWithAttributes)
        && priority() != HConstants.PRIORITY_UNSET;
  }

  private static int priority(Row operation) {
    if (operation instanceof OperationWithAttributes single) {
      return single.getPriority();
    }
    if (operation instanceof RowMutations mutations) {
      return mutations.getMaxPriority();
    }
    return operation instanceof CheckAndMutate conditional
        ? priority(conditional.getAction())
        : HConstants.PRIORITY_UNSET;
  }
}
