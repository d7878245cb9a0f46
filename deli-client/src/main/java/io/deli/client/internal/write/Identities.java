package io.deli.client.internal.write;

import io.deli.client.TimestampOracle;
import io.deli.entry.WriteId;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What tells one write of a connection from another, how long one took, and what is left of it.
 *
 * @param oracle draws timestamps
 * @param clock the wall clock, for write ids
 * @param ticker elapsed time in nanoseconds from any origin
 * @param shift milliseconds that are added to what the oracle draws, as learned from refusals
 * @param withdrawals entries that are being taken back
 * @param turns of refused writes
 */
public record Identities(
    TimestampOracle oracle,
    InstantSource clock,
    LongSupplier ticker,
    AtomicLong shift,
    Withdrawals withdrawals,
    RowTurns turns) {
  public Identities(TimestampOracle oracle, InstantSource clock, LongSupplier ticker) {
    this(oracle, clock, ticker, new AtomicLong(), new Withdrawals(), new RowTurns());
  }

  WriteId fresh() {
    return WriteId.of(clock.millis(), ThreadLocalRandom.current().nextLong());
  }

  long ticks() {
    return ticker.getAsLong();
  }
}
