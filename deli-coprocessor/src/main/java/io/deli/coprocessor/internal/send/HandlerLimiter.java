package io.deli.coprocessor.internal.send;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.spi.Caller;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;

/**
 * Limits the handlers of a region server that wait for indexes, so that others serve on.
 * Thread-safe.
 *
 * <p>The limit is below the number of ordinary handlers for writes, where there are more than one.
 * Handlers of high priority do not wait.
 */
public final class HandlerLimiter {
  private static final long PATIENCE_MILLIS = 100;
  private static final int PERCENT = 100;

  private final Semaphore places;

  private HandlerLimiter(int places) {
    this.places = new Semaphore(places);
  }

  static HandlerLimiter of(Configuration configuration, Consumer<String> problems) {
    int handlers = writeHandlers(configuration);
    long share = (long) handlers * DeliSettings.SERVER_HANDLERS.get(configuration, problems);
    return new HandlerLimiter((int) Math.max(1, Math.min(handlers - 1L, share / PERCENT)));
  }

  /** The handlers for writes, as HBase divides its ordinary ones among reads and writes. */
  private static int writeHandlers(Configuration configuration) {
    int handlers =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float readShare = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    return readShare > 0 ? handlers - Math.max(1, Math.round(handlers * readShare)) : handlers;
  }

  /**
   * Waits shortly for the handler to be admitted.
   *
   * @return whether it is; if so, to be followed by {@link #release}
   */
  public boolean tryAcquire() throws InterruptedIOException {
    try {
      return places.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Caller.interrupted("interrupted ahead of an index", e);
    }
  }

  public void release() {
    places.release();
  }
}
