package io.deli.client.internal.write;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Callbacks on answers. */
final class Answers {
  private Answers() {}

  /** Calls back when the answer has come. */
  static <T> void then(
      CompletableFuture<T> answer, BiConsumer<? super T, ? super Throwable> callback) {
    CompletableFuture<T> ignored = answer.whenComplete(callback);
  }

  /** The answer to the only operation of a list; its failure is the future's. */
  static CompletableFuture<Object> only(Object[] answers) {
    return answers[0] instanceof Throwable failure
        ? CompletableFuture.failedFuture(failure)
        : CompletableFuture.completedFuture(answers[0]);
  }
}
