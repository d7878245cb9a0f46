package io.deli.client.internal;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time and the chance that a connection goes by, so that a simulation can give its own.
 * Thread-safe.
 *
 * @param clock the wall clock
 * @param ticker elapsed time in nanoseconds from any origin
 * @param random uniformly distributed numbers
 * @param delays what happens later
 */
public record Surroundings(
    InstantSource clock, LongSupplier ticker, LongSupplier random, Delays delays) {
  /** Has things happen after a time. */
  public interface Delays {
    /** Those of the Java virtual machine. */
    Delays SYSTEM =
        new Delays() {
          @Override
          public Executor after(long millis) {
            return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
          }

          @Override
          public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis) {
            return answer.orTimeout(millis, TimeUnit.MILLISECONDS);
          }
        };

    /** Runs what it is given when so many milliseconds have passed. */
    Executor after(long millis);

    /**
     * Fails the answer with a {@link java.util.concurrent.TimeoutException} unless it comes within
     * so many milliseconds.
     */
    <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis);
  }

  /** By these clocks; else those of the Java virtual machine. */
  public static Surroundings of(InstantSource clock, LongSupplier ticker) {
    return new Surroundings(
        clock, ticker, () -> ThreadLocalRandom.current().nextLong(), Delays.SYSTEM);
  }

  /** A number from zero up to a bound, exclusive. */
  public long below(long bound) {
    return Math.floorMod(random.getAsLong(), bound);
  }
}
