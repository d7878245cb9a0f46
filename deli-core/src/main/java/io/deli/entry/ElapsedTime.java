package io.deli.entry;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Elapsed time that goes on while a virtual machine is suspended, when {@link System#nanoTime}
 * stands still. Thread-safe.
 *
 * <p>Counts in nanoseconds from any origin and never goes back. A wall clock that is ahead of the
 * ticker's by more than half a second, against what both showed at first, was not stopped by the
 * suspension, or was set forward: either way that time counts as elapsed. Whoever asks whether
 * something is still fresh is told too old rather than too young.
 */
public final class ElapsedTime implements LongSupplier {
  private static final long TOLERANCE_MILLIS = 500;
  private static final long NANOS_OF_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier ticker;
  private final InstantSource clock;
  private final long origin;

  /** Milliseconds that the ticker has missed so far. */
  private final AtomicLong missed = new AtomicLong();

  /**
   * @param ticker nanoseconds from any origin
   * @param clock the wall clock
   */
  public ElapsedTime(LongSupplier ticker, InstantSource clock) {
    this.ticker = ticker;
    this.clock = clock;
    this.origin = clock.millis() - millis(ticker.getAsLong());
  }

  /** Returns elapsed time by the system's clocks. */
  public static ElapsedTime system() {
    return new ElapsedTime(System::nanoTime, InstantSource.system());
  }

  @Override
  public long getAsLong() {
    long ticks = ticker.getAsLong();
    long ahead = clock.millis() - millis(ticks) - origin;
    long known = missed.get();
    if (ahead - known > TOLERANCE_MILLIS) {
      known = missed.accumulateAndGet(ahead, Math::max);
    }
    return ticks + TimeUnit.MILLISECONDS.toNanos(known);
  }

  private static long millis(long nanos) {
    return Math.floorDiv(nanos, NANOS_OF_MILLI);
  }
}
