package io.deli.client.internal.write;

import io.deli.client.TimestampOracle;
import io.deli.client.internal.Surroundings;
import io.deli.entry.WriteId;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What tells one write of a connection from another, how long one took, and what is left of it.
 *
 * @param oracle draws timestamps
 * @param surroundings time and chance
 * @param shift milliseconds that are added to what the oracle draws, as learned from refusals
 * @param withdrawals entries that are being taken back
 * @param turns of refused writes
 */
public record Identities(
    TimestampOracle oracle,
    Surroundings surroundings,
    AtomicLong shift,
    Withdrawals withdrawals,
    RowTurns turns) {
  public Identities(TimestampOracle oracle, InstantSource clock, LongSupplier ticker) {
    this(oracle, Surroundings.of(clock, ticker));
  }

  public Identities(TimestampOracle oracle, Surroundings surroundings) {
    this(oracle, surroundings, new AtomicLong(), new Withdrawals(), new RowTurns());
  }

  WriteId fresh() {
    return WriteId.of(surroundings.clock().millis(), surroundings.random().getAsLong());
  }

  long ticks() {
    return surroundings.ticker().getAsLong();
  }
}
