package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.BatchShape;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The shapes of a region's batches, by their requests. After a batch that differed from its
 * request, mutations are sent one by one for a while. Thread-safe.
 */
final class BatchShapes {
  private static final long CAUTION_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Region region;
  private volatile long surprised = System.nanoTime() - CAUTION_NANOS;

  BatchShapes(Region region) {
    this.region = region;
  }

  /**
   * The shape of the batch that the thread begins.
   *
   * @param row of its first mutation
   */
  BatchShape begun(byte[] row) {
    BatchShape shape = BatchShape.ofCall(region.getRegionInfo().getRegionName(), row);
    return System.nanoTime() - surprised < CAUTION_NANOS ? shape.apart() : shape;
  }

  /** Notes that a batch differs from its request. */
  void differ() {
    surprised = System.nanoTime();
  }
}
