package io.deli.client.internal.read;

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
  private final ReadMeter meter;
  private final LongAdder nanos = new LongAdder();
  private final AtomicBoolean ended = new AtomicBoolean();

  Measured(QueryPlan plan, ReadMeter meter) {
    this.plan = plan;
    this.meter = meter;
  }

  /** A verifier that has the pages counted that it verifies. */
  Function<EntryPage, CompletableFuture<Verdict>> verifier(Verifier verifier) {
    return page ->
        verifier
            .verify(page)
            .thenApply(
                verdict -> {
                  meter.read(
                      plan.conjunctions().get(page.conjunction()).index(),
                      page.entries(),
                      verdict.suspects().size());
                  return verdict;
                });
  }

  /** The pages of the run, timed. */
  HitPages pages(HitPages pages) {
    return new HitPages() {
      @Override
      public CompletableFuture<HitPage> next() {
        long begun = System.nanoTime();
        return pages
            .next()
            .whenComplete(
                (page, error) -> {
                  nanos.add(System.nanoTime() - begun);
                  if (error != null) {
                    fail();
                  } else if (page.last()) {
                    end();
                  }
                });
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  private void fail() {
    if (ended.compareAndSet(false, true)) {
      meter.failed();
    }
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      meter.answered(indexes(), nanos.sum());
    }
  }

  private Set<Index> indexes() {
    return plan.conjunctions().stream().map(Conjunction::index).collect(Collectors.toSet());
  }
}
