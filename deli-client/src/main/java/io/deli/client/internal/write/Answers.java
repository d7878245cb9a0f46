package io.deli.client.internal.write;

import io.deli.client.internal.Failures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Answers that are collected before anybody looks at them. */
final class Answers {
  private Answers() {}

  /** Calls back when the answer has come. */
  static <T> void then(
      CompletableFuture<T> answer, BiConsumer<? super T, ? super Throwable> callback) {
    CompletableFuture<T> ignored = answer.whenComplete(callback);
  }

  /** Completes when all have come, whatever they are. */
  static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> answers) {
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .handle((done, error) -> null);
  }

  /** The failure of an answer that has come, or null. */
  static Throwable failure(CompletableFuture<?> answer) {
    return answer.handle((result, error) -> error == null ? null : Failures.plain(error)).join();
  }
}
