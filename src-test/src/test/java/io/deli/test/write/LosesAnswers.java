package io.deli.test.write;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** A coprocessor with which conditional writes are applied and yet answered by an error. */
public final class LosesAnswers implements RegionCoprocessor, RegionObserver {
  private static final AtomicInteger TO_LOSE = new AtomicInteger();

  /** The answers to come that are lost. */
  static void lose(int answers) {
    TO_LOSE.set(answers);
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public CheckAndMutateResult postCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result)
      throws IOException {
    if (TO_LOSE.getAndDecrement() > 0) {
      throw new IOException("lost by the test");
    }
    return result;
  }
}
