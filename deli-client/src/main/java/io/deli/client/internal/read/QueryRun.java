package io.deli.client.internal.read;

import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.internal.KnownIndexes;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs a query and checks for each page that the definitions still hold. Not thread-safe.
 *
 * <p>Writers keep the table of an index for as long as clients may know it as the one that is read,
 * and no longer. So a page counts only if, once it is there, the definitions still name the table
 * from which it came. If they name another generation of the index, which has the same entries in
 * the same order, the run goes on there at the same position; one that has delivered nothing begins
 * anew, whatever the index is now. Else it ends with an {@link IndexUnavailableException}.
 *
 * <p>What {@link SeenRows} holds, and when the query began, stay the same where the run goes on in
 * another generation, so that rows that move meanwhile still come once. Rows of a page that does
 * not count are given again.
 *
 * <p>A table that is missing or disabled, and a region that knows the index as another, may be
 * signs that the definitions have changed; they are read again then.
 */
final class QueryRun implements HitPages {
  /** Definition changes tolerated while one page is read. */
  private static final int ATTEMPTS = 5;

  private final QueryEngine engine;
  private final CurrentDefinitions definitions;
  private final ValueQuery query;
  private final Function<QueryPlan, PageSizing> sizes;
  private KnownIndexes known;
  private volatile QueryPlan plan;
  private PageSizing sizing;
  private SeenRows memory;
  private volatile HitPages pages;
  private volatile boolean closed;
  private Optional<Position> reached = Optional.empty();

  /**
   * Begins a run.
   *
   * @param sizes of the pages of a plan
   * @throws IndexUnavailableException if an index does not exist or cannot be read now
   * @throws IllegalArgumentException if the query cannot be answered right
   */
  QueryRun(
      QueryEngine engine,
      CurrentDefinitions definitions,
      KnownIndexes known,
      ValueQuery query,
      Function<QueryPlan, PageSizing> sizes)
      throws IndexUnavailableException {
    this.engine = engine;
    this.definitions = definitions;
    this.query = query;
    this.sizes = sizes;
    plan(known);
  }

  private void plan(KnownIndexes current) throws IndexUnavailableException {
    QueryPlan next = QueryPlanner.plan(current, query, engine.clock().millis());
    if (reached.isPresent()) {
      if (!next.fingerprint().matches(plan.fingerprint().bytes())) {
        throw new IndexUnavailableException(
            "%s while this query read it. Start the query again.".formatted(change(next)));
      }
      next = next.goingOn(plan, reached.get());
    } else {
      sizing = sizes.apply(next);
      memory = engine.seenRows();
    }
    known = current;
    plan = next;
    pages = engine.run(next, query, sizing, memory, () -> closed);
  }

  /** Tells how an index changed, so that places of this run are none of the next plan's. */
  private String change(QueryPlan next) {
    return indexes(next)
        .filter(index -> !index.definition().state().readable())
        .filter(index -> indexes(plan).anyMatch(old -> wasReadable(old, index.name())))
        .findFirst()
        .map(
            index ->
                "index '%s' of table %s became %s"
                    .formatted(index.name(), next.base(), index.definition().state()))
        .orElseGet(
            () ->
                "an index of table %s was re-created with another definition"
                    .formatted(next.base()));
  }

  private static boolean wasReadable(Index index, String name) {
    return index.name().equals(name) && index.definition().state().readable();
  }

  private static Stream<Index> indexes(QueryPlan plan) {
    return plan.conjunctions().stream()
        .flatMap(conjunction -> conjunction.tests().stream())
        .map(IndexCondition::index);
  }

  /** Returns the present plan. */
  QueryPlan plan() {
    return plan;
  }

  @Override
  public CompletableFuture<HitPage> next() {
    return definitions.get().thenCompose(current -> next(current, ATTEMPTS));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what is nested is composed at once
  private CompletableFuture<HitPage> next(KnownIndexes current, int attempts) {
    try {
      if (follows(current)) {
        known = current;
      } else {
        pages.close();
        plan(current);
      }
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    PageSizing before = sizing.copy();
    return pages
        .next()
        .handle(
            (page, error) ->
                error == null ? accepted(page, before, attempts) : failed(error, before, attempts))
        .thenCompose(Function.identity());
  }

  private CompletableFuture<HitPage> accepted(HitPage page, PageSizing before, int attempts) {
    return definitions
        .get()
        .thenCompose(
            current -> {
              if (follows(current)) {
                memory.keep();
                reached = page.next();
                return CompletableFuture.completedFuture(page);
              }
              return attempts == 0
                  ? CompletableFuture.failedFuture(CurrentDefinitions.unavailable(current, null))
                  : again(current, before, attempts - 1);
            });
  }

  private CompletableFuture<HitPage> failed(Throwable error, PageSizing before, int attempts) {
    return !CurrentDefinitions.isOutdated(error)
        ? CompletableFuture.failedFuture(error)
        : definitions
            .refresh()
            .thenCompose(
                current ->
                    follows(current) || attempts == 0
                        ? CompletableFuture.failedFuture(
                            CurrentDefinitions.unavailable(current, error))
                        : again(current, before, attempts - 1));
  }

  private CompletableFuture<HitPage> again(KnownIndexes current, PageSizing before, int attempts) {
    sizing = before;
    memory.undo();
    return next(current, attempts);
  }

  /** Whether what the plan reads is what is to be read by these definitions. */
  @SuppressWarnings("ReferenceEquality") // the cache gives the same object until it reads anew
  private boolean follows(KnownIndexes current) {
    return current == known || indexes(plan).allMatch(index -> isRead(index, current));
  }

  private boolean isRead(Index index, KnownIndexes current) {
    try {
      Index now = current.forReading(index.name(), query.options().scanAllowed());
      // A scan of the base table is right whatever else there is by now.
      return index.strategy().keepsTable()
          ? now.reads(index)
          : now.definition().tokenSource().equals(index.definition().tokenSource());
    } catch (IndexUnavailableException e) {
      return false;
    }
  }

  /** Ends requests that are under way, too; any thread may call it. */
  @Override
  public void close() {
    pages.close();
    closed = true;
  }
}
