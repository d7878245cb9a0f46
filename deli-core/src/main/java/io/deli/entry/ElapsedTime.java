package io.deli.entry;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Elapsed time that goes on while a virtual machine is suspended, when {@link System#nanoTime}
 * stands still. Thread-safe.
 *
 * <p>Counts in nanoseconds from any origin and never goes back. A wall clock that gets ahead of the
 * ticker by more than half a second, against the least that it was ahead since it last did, was not
 * stopped by the suspension, or was set forward: either way that time counts as elapsed. Whoever
 * asks whether something is still fresh is told too old rather than too young.
 */
public final class ElapsedTime implements LongSupplier {
  private static final long TOLERANCE_MILLIS = 500;
  private static final long NANOS_OF_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier ticker;
  private final InstantSource clock;
  private final AtomicReference<Progress> progress;

  /**
   * The milliseconds that the clock is ahead of the ticker, by their origins, and those that the
   * ticker has missed so far.
   */
  private record Progress(long ahead, long missed) {
    Progress at(long now) {
      return now < ahead
          ? new Progress(now, missed)
          : now - ahead > TOLERANCE_MILLIS ? new Progress(now, missed + now - ahead) : this;
    }
  }

  /**
   * @param ticker nanoseconds from any origin
   * @param clock the wall clock
   */
  public ElapsedTime(LongSupplier ticker, InstantSource clock) {
    this.ticker = ticker;
    this.clock = clock;
    progress = new AtomicReference<>(new Progress(ahead(ticker.getAsLong()), 0));
  }

  /** Returns elapsed time by the system's clocks. */
  public static ElapsedTime system() {
    return new ElapsedTime(System::nanoTime, InstantSource.system());
  }

  @Override
  public long getAsLong() {
    long ticks = ticker.getAsLong();
    long ahead = ahead(ticks);
    Progress known = progress.get();
    if (!known.at(ahead).equals(known)) {
      known = progress.updateAndGet(last -> last.at(ahead));
    }
    return ticks + TimeUnit.MILLISECONDS.toNanos(known.missed());
  }

  private long ahead(long ticks) {
    return clock.millis() - Math.floorDiv(ticks, NANOS_OF_MILLI);
  }
}
