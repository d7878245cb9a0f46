package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.Caller;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The bounds of what is searched while a scan is being opened, for which its client waits without a
 * sign of life. Not thread-safe.
 */
final class SearchBounds {
  /** Blocks and rows. */
  private static final int MOST_READS = 10_000;

  /** Of the time for which a client waits: HBase takes half of it to find the first rows then. */
  private static final int SHARE_OF_TIME = 4;

  private final long mostBytes;
  private final BooleanSupplier ended;
  private int reads;

  /**
   * @param mostBytes that one search may hold
   * @param ended whether there is nobody to search for any more
   * @param nanos as {@link System#nanoTime}
   */
  SearchBounds(long mostBytes, long millis, BooleanSupplier ended, LongSupplier nanos) {
    long deadline = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.mostBytes = mostBytes;
    this.ended = () -> nanos.getAsLong() - deadline > 0 || ended.getAsBoolean();
  }

  /**
   * @param lease of scanners, in milliseconds
   */
  static SearchBounds of(Region region, long lease, long mostBytes) {
    return new SearchBounds(
        mostBytes,
        Caller.patience(lease) / SHARE_OF_TIME,
        () -> region.isClosing() || isCallerGone(),
        System::nanoTime);
  }

  private static boolean isCallerGone() {
    return RpcServer.getCurrentCall().filter(call -> call.disconnectSince() >= 0).isPresent();
  }

  long mostBytes() {
    return mostBytes;
  }

  /** Counts a block or row that is read. */
  void read() {
    reads++;
  }

  /** Whether enough was read, time is up, or nobody waits for an answer. */
  boolean isExceeded() {
    return reads > MOST_READS || ended.getAsBoolean();
  }
}
