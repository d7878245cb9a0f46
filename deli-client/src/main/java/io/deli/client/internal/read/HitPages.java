package io.deli.client.internal.read;

import io.deli.client.internal.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** A run of a query, page by page. */
interface HitPages extends AutoCloseable {
  /** The next page; not to be called before the one before has come, nor behind the last. */
  CompletableFuture<HitPage> next();

  /** Says that no more pages will be drawn, if the last one was not. */
  @Override
  default void close() {}

  /** Draws pages for as long as the consumer wants more; it must say no to the last page. */
  default CompletableFuture<Void> drain(Predicate<HitPage> wantsMore) {
    return Futures.repeat(() -> next().thenApply(wantsMore::test));
  }
}
