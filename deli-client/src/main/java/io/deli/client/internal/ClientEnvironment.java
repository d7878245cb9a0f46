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
 * @param scheduler what happens later
 */
public record ClientEnvironment(
    InstantSource clock, LongSupplier ticker, LongSupplier random, Scheduler scheduler) {
  /** Has things happen after a time. */
  public interface Scheduler {
    /** Those of the Java virtual machine. */
    Scheduler SYSTEM =
        new Scheduler() {
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
  public static ClientEnvironment of(InstantSource clock, LongSupplier ticker) {
    return new ClientEnvironment(
        clock, ticker, () -> ThreadLocalRandom.current().nextLong(), Scheduler.SYSTEM);
  }

  /** A number from zero up to a bound, exclusive. */
  public long below(long bound) {
    return Math.floorMod(random.getAsLong(), bound);
  }
}
