package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import io.deli.client.internal.write.BlockingWriter.Past;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;

/**
 * Has single Puts that come with no entries share requests, where many blocking callers write to a
 * table at a time. Few callers send by HBase's own client, which is the quickest for each. It is
 * also who sends what fails in company while there is time, so that failures are its own; a Put may
 * then be applied twice, as by its retries. Thread-safe.
 */
public final class SharedRequests {
  private final TableClient combining;
  private final int few;
  private final long mostNanos;
  private final LongSupplier ticker;
  private final AtomicInteger callers = new AtomicInteger();

  /**
   * @param few callers up to whom none shares a request
   * @param mostNanos the time up to which what fails in company is sent alone
   */
  SharedRequests(TableClient combining, int few, long mostNanos, LongSupplier ticker) {
    this.combining = combining;
    this.few = few;
    this.mostNanos = mostNanos;
    this.ticker = ticker;
  }

  /** Whether an operation may go with those of others, who have one priority. */
  static boolean take(Row operation) {
    return operation instanceof Put put && put.getPriority() == HConstants.PRIORITY_UNSET;
  }

  /**
   * Carries out an operation.
   *
   * @param alone does it by itself
   */
  <X extends Exception> void write(Row operation, Past<?, X> alone) throws IOException, X {
    try {
      if (callers.incrementAndGet() <= few || !together(operation)) {
        alone.run();
      }
    } finally {
      callers.decrementAndGet();
    }
  }

  /**
   * Carries out an operation in company; returns whether it has succeeded, and throws its failure
   * if there is no time to send it alone.
   */
  private boolean together(Row operation) throws IOException {
    long begun = ticker.getAsLong();
    CompletableFuture<Object> sent = combining.send(operation);
    Futures.awaitEnd(sent);
    if (ticker.getAsLong() - begun > mostNanos) {
      Futures.await(sent);
    }
    return !sent.isCompletedExceptionally();
  }
}
