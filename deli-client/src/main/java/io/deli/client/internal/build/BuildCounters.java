package io.deli.client.internal.build;

import io.deli.client.BuildEngine.Written;
import io.deli.client.internal.Futures;
import io.deli.client.internal.RateLimiter;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of all threads of a build, and limits its rate. Thread-safe. */
final class BuildCounters {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final BuildLease lease;
  private final RateLimiter limiter;
  private final LongAdder rows = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicReference<String> refusal = new AtomicReference<>();
  private final AtomicInteger ranges = new AtomicInteger();

  /**
   * @param rowsPerSecond 0 for no limit
   */
  BuildCounters(BuildLease lease, long rowsPerSecond) {
    this.lease = lease;
    this.limiter = new RateLimiter(rowsPerSecond);
  }

  /** Counts a row that was read and waits until it is due; throws if the lease is lost. */
  void row() throws IOException {
    rows.increment();
    long due = limiter.reserve(1);
    for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
      check();
      Futures.sleep(Duration.ofNanos(Math.min(POLL_NANOS, wait)));
    }
  }

  void entries(int written) {
    entries.add(written);
  }

  void refused(VersionEntries versions) {
    refused.add(versions.refused());
    versions.refusal().ifPresent(example -> refusal.compareAndSet(null, example));
  }

  void ranges(int done) {
    ranges.addAndGet(done);
  }

  /** Throws if another process has taken over the build. */
  void check() throws IOException {
    lease.check();
  }

  /** Returns how many of the ranges are done. */
  int ranges() {
    return ranges.get();
  }

  Written written() {
    return new Written(
        rows.sum(), entries.sum(), refused.sum(), Optional.ofNullable(refusal.get()));
  }
}
