package io.deli.coprocessor.internal.send;

import io.deli.config.DeliSettings;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;

/**
 * Room for the handlers of a region server that wait for indexes; the others serve on. Thread-safe.
 *
 * <p>It has room for fewer than there are ordinary handlers for writes, where there are more than
 * one. Those of high priority do not wait.
 */
public final class WaitingRoom {
  private static final long PATIENCE_MILLIS = 100;
  private static final int PERCENT = 100;

  private final Semaphore places;

  private WaitingRoom(int places) {
    this.places = new Semaphore(places);
  }

  static WaitingRoom of(Configuration configuration, Consumer<String> problems) {
    int handlers = writeHandlers(configuration);
    long share = (long) handlers * DeliSettings.SERVER_HANDLERS.get(configuration, problems);
    return new WaitingRoom((int) Math.max(1, Math.min(handlers - 1L, share / PERCENT)));
  }

  /** As HBase divides its ordinary handlers among reads and writes. */
  private static int writeHandlers(Configuration configuration) {
    int handlers =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float readShare = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    return readShare > 0 ? handlers - Math.max(1, Math.round(handlers * readShare)) : handlers;
  }

  /**
   * Takes a place, if there is one shortly.
   *
   * @return whether; if so, to be followed by {@link #leave}
   */
  public boolean enter() throws InterruptedIOException {
    try {
      return places.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted ahead of an index").initCause(e);
    }
  }

  public void leave() {
    places.release();
  }
}
