package io.deli.client.internal.write;

import io.deli.client.TimestampOracle;
import io.deli.client.internal.ClientEnvironment;
import io.deli.entry.WriteId;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The state that all writes of one connection share. Thread-safe.
 *
 * @param oracle draws timestamps
 * @param environment clocks, random numbers and timers
 * @param shift milliseconds added to each timestamp of the oracle: the clock difference to region
 *     servers that refusals have shown
 * @param pendingDeletes entries being deleted in the background
 * @param rowQueues serialize the refused writes of each row
 */
public record WriteContext(
    TimestampOracle oracle,
    ClientEnvironment environment,
    AtomicLong shift,
    BackgroundDeletes pendingDeletes,
    RowQueues rowQueues) {
  public WriteContext(TimestampOracle oracle, InstantSource clock, LongSupplier ticker) {
    this(oracle, ClientEnvironment.of(clock, ticker));
  }

  public WriteContext(TimestampOracle oracle, ClientEnvironment environment) {
    this(oracle, environment, new AtomicLong(), new BackgroundDeletes(), new RowQueues());
  }

  /** Returns an id that no other write has, by the region servers' clock as far as it is known. */
  WriteId newWriteId() {
    return WriteId.of(environment.clock().millis() + shift.get(), environment.random().getAsLong());
  }

  /** Returns elapsed time in nanoseconds from any origin. */
  long ticks() {
    return environment.ticker().getAsLong();
  }
}
