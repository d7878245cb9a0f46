package io.deli.client.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.util.FutureUtils;

/** Waits for asynchronous operations and unwraps their failures, for callers that block. */
public final class Futures {
  private Futures() {}

  /** Returns the failure itself, without the wrappers of futures and batches. */
  public static Throwable unwrap(Throwable error) {
    Throwable plain = error;
    while ((plain instanceof CompletionException || plain instanceof ExecutionException)
        && plain.getCause() != null) {
      plain = plain.getCause();
    }
    // A batch reports even what was never tried again as exhausted retries.
    return plain instanceof RetriesExhaustedException
            && plain.getCause() instanceof DoNotRetryIOException refused
        ? refused
        : plain;
  }

  /** Waits for a result and throws its failure as it is. */
  public static <T> T await(CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw interrupted("interrupted while waiting", e);
    } catch (ExecutionException e) {
      throw toIOException(unwrap(e));
    }
  }

  /** Waits for a result or a failure; the failure stays in the future. */
  public static void awaitEnd(CompletableFuture<?> future) throws InterruptedIOException {
    boolean unused = awaitEnd(future, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits so long for a result or a failure, which stays in the future; returns whether it came.
   */
  public static boolean awaitEnd(CompletableFuture<?> future, Duration time)
      throws InterruptedIOException {
    try {
      future.get(time.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException | CancellationException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      throw interrupted("interrupted while waiting", e);
    }
  }

  /** Sleeps; returns at once if the duration is not positive. */
  public static void sleep(Duration duration) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    } catch (InterruptedException e) {
      throw interrupted("interrupted while sleeping", e);
    }
  }

  /** Interrupts the threads of a pool and waits for their end: none may write afterwards. */
  public static void end(ExecutorService pool) {
    boolean interrupted = Thread.interrupted();
    do {
      pool.shutdownNow();
      try {
        pool.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    } while (!pool.isTerminated());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sets the thread's interrupt flag again and returns the exception to throw. */
  public static InterruptedIOException interrupted(String message, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException(message);
    interrupted.initCause(cause);
    return interrupted;
  }

  /** Returns the failure as an exception to throw; throws runtime exceptions and errors itself. */
  public static IOException toIOException(Throwable error) {
    if (error instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (error instanceof Error fatal) {
      throw fatal;
    }
    return error instanceof IOException io ? io : new IOException(error);
  }

  /** Completes a future with a result, or with an error if there is one. */
  public static <T> void complete(CompletableFuture<T> future, T result, Throwable error) {
    if (error == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(error);
    }
  }

  /** Completes when all have ended; fails then if one of them did. */
  public static CompletableFuture<Void> all(Collection<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }

  /**
   * Repeats a step until one returns false; fails when one fails or throws. A loop while steps are
   * done at once, so that they do not pile up frames.
   */
  public static CompletableFuture<Void> repeat(Supplier<CompletableFuture<Boolean>> step) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    goOn(CompletableFuture.completedFuture(true), step, done);
    return done;
  }

  private static void goOn(
      CompletableFuture<Boolean> last,
      Supplier<CompletableFuture<Boolean>> step,
      CompletableFuture<Void> done) {
    try {
      CompletableFuture<Boolean> more = last;
      while (more.isDone()) {
        if (!more.join()) {
          done.complete(null);
          return;
        }
        more = step.get();
      }
      CompletableFuture<Boolean> later = more;
      FutureUtils.addListener(later, (yes, error) -> goOn(later, step, done));
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }
}
