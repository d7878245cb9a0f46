package io.deli.coprocessor.internal.collect;

import java.util.concurrent.CompletableFuture;

/** Time passes by waiting only. */
class WaitedTime extends RegionWaits {
  long now;

  @Override
  public final long nanoTime() {
    return now;
  }

  @Override
  public final boolean await(CompletableFuture<?> future, long nanos) {
    now += nanos;
    passed();
    return future.isDone();
  }

  /** Anything may happen meanwhile. */
  void passed() {}
}
