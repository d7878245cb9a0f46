package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import io.deli.client.internal.write.BlockingWriter.Past;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;

/**
 * Has single Puts that come with no entries share requests, where many blocking callers write to a
 * table at a time. Few callers send by HBase's own client, which is the quickest for each. It is
 * also who sends what fails in company, so that all failures are its own; a Put may then be applied
 * twice, as by its retries. Thread-safe.
 */
public final class SharedRequests {
  private final TableClient combining;
  private final int few;
  private final AtomicInteger callers = new AtomicInteger();

  /**
   * @param few callers up to whom none shares a request
   */
  SharedRequests(TableClient combining, int few) {
    this.combining = combining;
    this.few = few;
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
      if (callers.incrementAndGet() <= few || !isDone(combining.send(operation))) {
        alone.run();
      }
    } finally {
      callers.decrementAndGet();
    }
  }

  private static boolean isDone(CompletableFuture<?> sent) throws InterruptedIOException {
    Futures.awaitEnd(sent);
    return !sent.isCompletedExceptionally();
  }
}
