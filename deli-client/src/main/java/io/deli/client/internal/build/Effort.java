package io.deli.client.internal.build;

import io.deli.client.internal.Pauses;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;

/** What all threads of a build do together, and how fast they may. Thread-safe. */
final class Effort {
  private static final int POLL_MILLIS = 5;

  private final Tenure tenure;
  private final RateLimiter limiter;
  private final LongAdder rows = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicReference<String> refusal = new AtomicReference<>();
  private final AtomicInteger ranges = new AtomicInteger();

  /**
   * @param rowsPerSecond 0 for no limit
   */
  Effort(Tenure tenure, long rowsPerSecond) {
    this.tenure = tenure;
    this.limiter = rowsPerSecond == 0 ? null : RateLimiter.create((double) rowsPerSecond);
  }

  /** A row was read; waits if that was too early, unless the work is of no use any more. */
  void row() throws IOException {
    rows.increment();
    while (limiter != null && !limiter.tryAcquire()) {
      check();
      Pauses.pause(Duration.ofMillis(POLL_MILLIS));
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

  /** Throws if another process does the work now. */
  void check() throws IOException {
    tenure.check();
  }

  long rows() {
    return rows.sum();
  }

  long entries() {
    return entries.sum();
  }

  long refused() {
    return refused.sum();
  }

  /** An example of what was refused, and why. */
  Optional<String> refusal() {
    return Optional.ofNullable(refusal.get());
  }

  /** Those that are done. */
  int ranges() {
    return ranges.get();
  }
}
