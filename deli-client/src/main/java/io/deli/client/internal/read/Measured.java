package io.deli.client.internal.read;

import io.deli.client.ValueQuery;
import io.deli.client.internal.Failures;
import io.deli.client.internal.metrics.ReadMeter;
import io.deli.client.internal.read.Verifier.Verdict;
import io.deli.index.Index;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One run of a query, measured. It takes the time for which pages were waited for, not what the
 * caller did between them. Thread-safe.
 */
final class Measured {
  private final QueryPlan plan;
  private final ValueQuery query;
  private final ReadMeter meter;
  private final SlowQueries slow;
  private final CountedRequests requests;
  private final LongAdder nanos = new LongAdder();
  private final LongAdder pages = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final AtomicBoolean ended = new AtomicBoolean();

  Measured(QueryPlan plan, ValueQuery query, ReadMeter meter, SlowQueries slow, Requests requests) {
    this.plan = plan;
    this.query = query;
    this.meter = meter;
    this.slow = slow;
    this.requests = new CountedRequests(requests);
  }

  /** The ways in which the run is to read. */
  Requests requests() {
    return requests;
  }

  /** A verifier that has the pages counted that it verifies. */
  Function<EntryPage, CompletableFuture<Verdict>> verifier(Verifier verifier) {
    return page ->
        verifier
            .verify(page)
            .thenApply(
                verdict -> {
                  count(page, verdict);
                  return verdict;
                });
  }

  private void count(EntryPage page, Verdict verdict) {
    int read = page.entries();
    int suspects = verdict.suspects().size();
    pages.increment();
    entries.add(read);
    stale.add(suspects);
    meter.read(plan.conjunctions().get(page.conjunction()).index(), read, suspects);
  }

  /** The pages of the run, timed. */
  HitPages timed(HitPages run) {
    return new HitPages() {
      @Override
      public CompletableFuture<HitPage> next() {
        long begun = System.nanoTime();
        return run.next()
            .whenComplete(
                (page, error) -> {
                  nanos.add(System.nanoTime() - begun);
                  if (error != null) {
                    fail(error);
                  } else {
                    got(page);
                  }
                });
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  private void got(HitPage page) {
    hits.add(page.hits().size());
    if (page.last()) {
      end();
    }
  }

  private void fail(Throwable error) {
    if (ended.compareAndSet(false, true)) {
      meter.failed();
      slow.ended(plan, query, nanos.sum(), this + ", failed: " + kind(error));
    }
  }

  /** Whoever asked has the message, which may tell values. */
  private static String kind(Throwable error) {
    return Failures.plain(error).getClass().getSimpleName();
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      meter.answered(indexes(), nanos.sum());
      slow.ended(plan, query, nanos.sum(), this);
    }
  }

  /** What was read so far. */
  @Override
  public String toString() {
    return "%d pages, %s, %d entries, %d stale, %d hits"
        .formatted(pages.sum(), requests, entries.sum(), stale.sum(), hits.sum());
  }

  private Set<Index> indexes() {
    return plan.conjunctions().stream().map(Conjunction::index).collect(Collectors.toSet());
  }
}
