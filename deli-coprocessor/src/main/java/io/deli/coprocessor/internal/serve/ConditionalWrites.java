package io.deli.coprocessor.internal.serve;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How many conditional writes of a row were applied. Thread-safe.
 *
 * <p>A write that has its timestamp, and waits for its index, would lie behind one whose condition
 * was tested meanwhile, as if it had been there for the test. Rows share a few hundred stripes.
 */
final class ConditionalWrites {
  private static final int STRIPES = 1 << 10;

  private final AtomicIntegerArray applied = new AtomicIntegerArray(STRIPES);

  /** To be told while the row is locked. */
  void applied(byte[] row) {
    applied.incrementAndGet(stripe(row));
  }

  /** Not less than it was, and the same only if none of the row came since. */
  int count(byte[] row) {
    return applied.get(stripe(row));
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row) * 0x9E3779B9;
    return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
  }
}
