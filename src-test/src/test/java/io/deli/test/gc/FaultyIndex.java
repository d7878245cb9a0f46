package io.deli.test.gc;

import io.deli.test.cluster.TestObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/** A coprocessor of an index table, in which some deletes go wrong. */
public final class FaultyIndex implements TestObserver {
  /** What may befall a delete. */
  enum Fault {
    /** Refused and not done. */
    REFUSED,
    /** Done and reported as failed, with all of its request. */
    DENIED,
    /** Done when nobody waits for it any more. */
    LATE,
    /** Reported as done and not done: no index does that, and tests must notice. */
    LOST
  }

  private static final int MOST_SECONDS = 20;
  private static volatile Faults faults = Faults.NONE;

  /** The faults to come, until the next call. */
  static void draw(long seed, double rate, Set<Fault> kinds) {
    heal();
    faults = new Faults(new Random(seed), rate, kinds, new CountDownLatch(1));
  }

  /** Does what is late, and from now on everything. */
  static void heal() {
    Faults before = faults;
    faults = Faults.NONE;
    before.late.countDown();
  }

  private record Faults(Random random, double rate, Set<Fault> kinds, CountDownLatch late) {
    static final Faults NONE = new Faults(new Random(0), 0, Set.of(), new CountDownLatch(0));

    boolean strikes(Fault fault) {
      return kinds.contains(fault) && random.nextDouble() < rate;
    }

    void await() throws IOException {
      try {
        if (!late.await(MOST_SECONDS, TimeUnit.SECONDS)) {
          throw new DoNotRetryIOException("nobody has ended this fault");
        }
      } catch (InterruptedException e) {
        throw (IOException) new InterruptedIOException("stopped").initCause(e);
      }
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Faults now = faults;
    if (hasDelete(batch) && now.strikes(Fault.LATE)) {
      now.await();
    }
    for (int i = 0; i < batch.size(); i++) {
      if (!(batch.getOperation(i) instanceof Delete)) {
        continue;
      }
      if (now.strikes(Fault.REFUSED)) {
        batch.setOperationStatus(
            i, new OperationStatus(OperationStatusCode.FAILURE, "refused by the test"));
      } else if (now.strikes(Fault.LOST)) {
        batch.setOperationStatus(i, OperationStatus.SUCCESS);
      }
    }
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    if (hasDelete(batch) && faults.strikes(Fault.DENIED)) {
      throw new DoNotRetryIOException("denied by the test, though done");
    }
  }

  private static boolean hasDelete(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperation(i) instanceof Delete) {
        return true;
      }
    }
    return false;
  }
}
