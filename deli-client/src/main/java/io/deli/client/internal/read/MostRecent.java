package io.deli.client.internal.read;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Draws the pages of a whole run, and makes one of the newest hits. */
final class MostRecent implements HitPages {
  private final HitPages all;
  private final NewestHits newest;

  MostRecent(HitPages all, NewestHits newest) {
    this.all = all;
    this.newest = newest;
  }

  @Override
  public CompletableFuture<HitPage> next() {
    return all.drain(this::keep)
        .thenApply(done -> new HitPage(newest.newestFirst(), Optional.empty(), true));
  }

  private boolean keep(HitPage page) {
    page.hits().forEach(newest::add);
    return !page.last();
  }
}
