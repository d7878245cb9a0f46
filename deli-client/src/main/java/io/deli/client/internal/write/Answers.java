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
}
