package io.deli.client.internal.read;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValueScanner;
import io.deli.client.internal.Futures;
import io.deli.client.internal.read.HitPage.PositionedHit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Hands out hits one by one, with one page fetched ahead of the one in use. */
final class PagedScanner implements ValueScanner {
  private final QueryRun pages;
  private CompletableFuture<HitPage> fetching;
  private HitPage page;
  private int taken;
  private Optional<Position> position;
  private boolean closed;

  PagedScanner(QueryRun pages) {
    this.pages = pages;
    this.position = Optional.of(pages.plan().start());
    this.fetching = pages.next();
  }

  @Override
  public Optional<ValueHit> next() throws IOException {
    return hasHit() ? Optional.of(take()) : Optional.empty();
  }

  /** Fetches as needed, but takes nothing: the continuation stays in front of the hit. */
  private boolean hasHit() throws IOException {
    if (closed) {
      throw new IOException("the scanner is closed");
    }
    while (page == null || taken == page.hits().size()) {
      if (page != null && page.last()) {
        return false;
      }
      turn();
    }
    return true;
  }

  private ValueHit take() {
    PositionedHit hit = page.hits().get(taken++);
    position = taken == page.hits().size() ? page.next() : Optional.of(hit.behind());
    return hit.hit();
  }

  private void turn() throws IOException {
    page = await(fetching);
    taken = 0;
    if (!page.last()) {
      fetching = pages.next();
    }
    if (page.hits().isEmpty()) {
      position = page.next();
    }
  }

  private static HitPage await(CompletableFuture<HitPage> page) throws IOException {
    try {
      return page.get();
    } catch (InterruptedException e) {
      throw Futures.interrupted("interrupted while reading by value", e);
    } catch (ExecutionException e) {
      throw new IOException("reading by value failed: " + e.getCause().getMessage(), e.getCause());
    }
  }

  @Override
  public Optional<Continuation> continuation() {
    QueryPlan plan = pages.plan();
    return plan.continues()
        ? position.map(place -> Continuations.write(plan.fingerprint(), place))
        : Optional.empty();
  }

  @Override
  public Iterator<ValueHit> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          return hasHit();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public ValueHit next() {
        if (!hasNext()) {
          throw new NoSuchElementException("no more hits");
        }
        return take();
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    fetching.cancel(false);
    pages.close();
  }
}
