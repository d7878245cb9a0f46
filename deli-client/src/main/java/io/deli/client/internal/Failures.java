package io.deli.client.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;

/** The failures of asynchronous operations, as callers of the blocking API expect them. */
public final class Failures {
  private Failures() {}

  /** The failure itself, without the wrappers of futures and batches. */
  public static Throwable plain(Throwable error) {
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
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw io(plain(e));
    }
  }

  /** Waits until there is a result or a failure, which whoever asks for the result is told. */
  public static void awaitEnd(CompletableFuture<?> future) throws InterruptedIOException {
    try {
      future.handle((result, error) -> null).get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("its failure was handled", e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting");
    interrupted.initCause(cause);
    return interrupted;
  }

  /** The failure as an exception to throw; runtime exceptions and errors are thrown here. */
  public static IOException io(Throwable error) {
    if (error instanceof RuntimeException runtime) {
      throw runtime;
    }
    if (error instanceof Error fatal) {
      throw fatal;
    }
    return error instanceof IOException io ? io : new IOException(error);
  }
}
