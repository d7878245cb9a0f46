package io.deli.test.gc;

import io.deli.test.cluster.Counters;
import io.deli.test.cluster.TestObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/** A coprocessor of an index table that takes its time for deletes, one request after another. */
public final class SlowIndex implements TestObserver {
  private static final long NEVER_MILLIS = 60_000;
  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(true);
  private static final AtomicLong LEFT = new AtomicLong();
  private static final AtomicLong MOST_HELD = new AtomicLong();
  private static final AtomicLong MOST_TOGETHER = new AtomicLong();
  private static final AtomicLong TAKEN = new AtomicLong();

  private static volatile long millisEach;
  private static volatile boolean forgetful;
  private static volatile Predicate<String> refused = row -> false;

  /** As any other index, from now on. */
  static void reset() {
    millisEach = 0;
    forgetful = false;
    refused = row -> false;
    LEFT.set(Long.MAX_VALUE);
    MOST_HELD.set(0);
    MOST_TOGETHER.set(0);
    TAKEN.set(0);
  }

  /** Takes so long for each row. */
  static void slow(long millis) {
    millisEach = millis;
  }

  /** Does not answer once it has deleted so many rows. */
  static void endAfter(long rows) {
    LEFT.set(rows);
  }

  /** Refuses deletes of some rows. */
  static void refuse(Predicate<String> rows) {
    refused = rows;
  }

  /** Says done and does nothing, which is faster. */
  static void forget() {
    forgetful = true;
  }

  /** Deletes that all compactions held when some arrived, at most. */
  static long mostHeld() {
    return MOST_HELD.get();
  }

  /** Rows in one request, at most. */
  static long mostTogether() {
    return MOST_TOGETHER.get();
  }

  /** Rows of which deletes arrived. */
  static long taken() {
    return TAKEN.get();
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    int deletes = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperation(i) instanceof Delete delete) {
        deletes++;
        if (refused.test(Bytes.toString(delete.getRow()))) {
          batch.setOperationStatus(
              i, new OperationStatus(OperationStatusCode.FAILURE, "refused by the test"));
        } else if (forgetful) {
          batch.setOperationStatus(i, OperationStatus.SUCCESS);
        }
      }
    }
    if (deletes > 0) {
      TAKEN.addAndGet(deletes);
      MOST_HELD.accumulateAndGet(Counters.value("deletesHeld"), Math::max);
      MOST_TOGETHER.accumulateAndGet(deletes, Math::max);
      pause(LEFT.addAndGet(-deletes) < 0 ? NEVER_MILLIS : millisEach * deletes);
    }
  }

  private static void pause(long millis) throws IOException {
    if (millis == 0) {
      return;
    }
    try {
      ONE_AT_A_TIME.lockInterruptibly();
      try {
        for (long end = System.nanoTime() + millis * 1_000_000; System.nanoTime() < end; ) {
          Thread.sleep(5);
          if (millis == NEVER_MILLIS && LEFT.get() > Long.MAX_VALUE / 2) {
            throw new DoNotRetryIOException("the test is over");
          }
        }
      } finally {
        ONE_AT_A_TIME.unlock();
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("stopped").initCause(e);
    }
  }
}
