package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.BatchShape;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;

/**
 * The batches that threads apply to a region, with what is kept of each meanwhile. Another observer
 * may have the thread apply one amid another, so the latest is the thread's. Thread-safe.
 *
 * <p>HBase does not tell of the end if another observer fails as it begins or ends, so the thread's
 * next request drops what is left.
 *
 * <p>After a batch that differed from its request, mutations are sent one by one for a while.
 */
public final class RunningBatches {
  private static final long CAUTION_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final byte[] region;
  private volatile long surprised = System.nanoTime() - CAUTION_NANOS;

  @SuppressWarnings("ThreadLocalUsage") // of this region; it ends with its batches
  private final ThreadLocal<OfRequest> current = new ThreadLocal<>();

  /** Of one thread; the latest comes first. */
  private record OfRequest(WeakReference<RpcCall> call, Deque<Batch> batches) {}

  private static final class Batch {
    PendingMutations pending;
    ExposingDeletes.Unsent deletes;
  }

  /**
   * @param region its name
   */
  RunningBatches(byte[] region) {
    this.region = region;
  }

  /** Begins a batch of the thread, until {@link #end}. */
  public void begin() {
    RpcCall now = RpcServer.getCurrentCall().orElse(null);
    OfRequest its = current.get();
    if (its == null || its.call().get() != now) {
      its = new OfRequest(new WeakReference<>(now), new ArrayDeque<>(1));
      current.set(its);
    }
    its.batches().push(new Batch());
  }

  /** Forgets the thread's latest batch. */
  public void end() {
    OfRequest its = current.get();
    if (its != null) {
      its.batches().poll();
      if (its.batches().isEmpty()) {
        current.remove();
      }
    }
  }

  private Optional<Batch> latest() {
    return Optional.ofNullable(current.get()).map(its -> its.batches().peek());
  }

  /**
   * The mutations of the thread's batch that are prepared; none of one that HBase did not begin.
   */
  PendingMutations pending() {
    return latest()
        .map(batch -> batch.pending)
        .orElseGet(() -> new PendingMutations(BatchShape.UNKNOWN));
  }

  /**
   * The same, for more of them.
   *
   * @param row of the next one
   */
  PendingMutations pending(byte[] row) {
    Batch batch = latest().orElseGet(Batch::new);
    if (batch.pending == null) {
      batch.pending = new PendingMutations(shape(row));
    }
    return batch.pending;
  }

  /**
   * The deletes of the thread's batch, for more of them.
   *
   * @param row of the next one
   */
  ExposingDeletes.Unsent deletes(byte[] row) {
    Batch batch = latest().orElseGet(Batch::new);
    if (batch.deletes == null) {
      batch.deletes = new ExposingDeletes.Unsent(shape(row));
    }
    return batch.deletes;
  }

  private BatchShape shape(byte[] row) {
    BatchShape shape = BatchShape.ofCall(region, row);
    if (isNested()) {
      return shape.conditional() ? shape : BatchShape.UNKNOWN;
    }
    return System.nanoTime() - surprised < CAUTION_NANOS ? shape.apart() : shape;
  }

  /** Whether the thread's batch is another one than its request asks for. */
  private boolean isNested() {
    OfRequest its = current.get();
    return its != null && its.batches().size() > 1;
  }

  /** Notes that a batch differs from its request. */
  void differ() {
    surprised = System.nanoTime();
  }
}
