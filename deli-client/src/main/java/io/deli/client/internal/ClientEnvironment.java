package io.deli.client.internal;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/**
 * The clocks, random numbers and timers of a connection; a simulation supplies its own.
 * Thread-safe.
 *
 * @param clock the wall clock
 * @param ticker elapsed time in nanoseconds from any origin
 * @param random uniformly distributed numbers
 * @param scheduler what happens later
 */
public record ClientEnvironment(
    InstantSource clock, LongSupplier ticker, LongSupplier random, Scheduler scheduler) {
  /** Runs tasks and time-outs after a delay. */
  public interface Scheduler {
    /** The scheduler of the Java virtual machine. */
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

    /** Returns an executor that runs each task after a delay in milliseconds. */
    Executor after(long millis);

    /**
     * Waits so many milliseconds, or for ever if they are none, for an answer that others may wait
     * for, too: for them it goes on. Fails as HBase does.
     *
     * @param operations for which there is no more time
     */
    default <T> CompletableFuture<T> within(
        CompletableFuture<T> answer, long millis, String operations) {
      return millis == 0 || answer.isDone()
          ? answer
          : bounded(answer.copy(), millis)
              .exceptionallyCompose(
                  error ->
                      CompletableFuture.failedFuture(
                          Futures.unwrap(error) instanceof TimeoutException late
                              ? new TimeoutIOException(
                                  "no answer in the time set for " + operations, late)
                              : error));
    }

    /**
     * Fails the answer with a {@link TimeoutException} unless it comes within so many milliseconds.
     */
    <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, long millis);
  }

  /**
   * Creates an environment with these clocks, and the random numbers and timers of the Java virtual
   * machine.
   */
  public static ClientEnvironment of(InstantSource clock, LongSupplier ticker) {
    return new ClientEnvironment(
        clock, ticker, () -> ThreadLocalRandom.current().nextLong(), Scheduler.SYSTEM);
  }

  /** Returns a random number from zero to a bound, exclusive. */
  public long below(long bound) {
    return Math.floorMod(random.getAsLong(), bound);
  }
}
