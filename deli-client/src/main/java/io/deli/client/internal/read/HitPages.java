package io.deli.client.internal.read;

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
    CompletableFuture<Void> done = new CompletableFuture<>();
    drain(wantsMore, done);
    return done;
  }

  private void drain(Predicate<HitPage> wantsMore, CompletableFuture<Void> done) {
    var unused =
        next()
            .thenApply(wantsMore::test)
            .whenComplete(
                (more, error) -> {
                  if (error != null) {
                    done.completeExceptionally(error);
                  } else if (more) {
                    goOn(wantsMore, done);
                  } else {
                    done.complete(null);
                  }
                });
  }

  private void goOn(Predicate<HitPage> wantsMore, CompletableFuture<Void> done) {
    try {
      drain(wantsMore, done);
    } catch (RuntimeException | Error e) {
      // Nobody else would hear of it.
      done.completeExceptionally(e);
    }
  }
}
