package io.deli.test.security;

import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;

/** Values at the limits of what a decoder expects, and beyond. Decided by a seed. */
final class HostileBytes {
  private static final int MOST_CHANGES = 4;
  private static final int SHORT = 40;
  private static final int LONGER_THAN_ROWS = 40_000;
  private static final long[] NUMBERS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    -1,
    0,
    1,
    Integer.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };
  private static final int[] INTS = {Integer.MIN_VALUE, -1, 0, 1, 1 << 20, Integer.MAX_VALUE};
  private static final double[] COORDINATES = {
    -Double.MAX_VALUE,
    -1,
    -Double.MIN_VALUE,
    -0.0,
    0,
    Double.MIN_VALUE,
    0.1,
    1e300,
    Double.MAX_VALUE
  };

  private final Random random;

  HostileBytes(Random random) {
    this.random = random;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Whether something happens that does so once in a number of times. */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  long number() {
    return oneIn(2) ? NUMBERS[below(NUMBERS.length)] : random.nextInt(2_000);
  }

  int integer() {
    return oneIn(2) ? INTS[below(INTS.length)] : random.nextInt(100);
  }

  double coordinate() {
    return oneIn(2) ? COORDINATES[below(COORDINATES.length)] : random.nextGaussian();
  }

  @SafeVarargs
  final <T> T oneOf(T... all) {
    return all[below(all.length)];
  }

  byte[] any() {
    byte[] bytes = new byte[oneIn(50) ? LONGER_THAN_ROWS : below(SHORT)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** One of some known values, or any. */
  byte[] known(String stem, int count) {
    return oneIn(4) ? any() : Bytes.toBytes(stem + below(count));
  }

  /** Something like a valid encoding. */
  byte[] mutated(byte[] valid) {
    byte[] bytes = valid;
    for (int changes = 1 + below(MOST_CHANGES); changes > 0; changes--) {
      bytes = changed(bytes);
    }
    return bytes;
  }

  private byte[] changed(byte[] bytes) {
    if (bytes.length == 0) {
      return any();
    }
    int at = below(bytes.length);
    byte[] head = Arrays.copyOf(bytes, at);
    byte[] tail = Arrays.copyOfRange(bytes, at, bytes.length);
    switch (below(6)) {
      case 0 -> tail[0] ^= (byte) (1 << below(8));
      case 1 -> tail[0] = oneOf((byte) 0, (byte) 0x7F, (byte) 0x80, (byte) 0xFF);
      case 2 -> tail = new byte[0];
      case 3 -> tail = Arrays.copyOfRange(tail, below(tail.length + 1), tail.length);
      case 4 -> head = Bytes.add(head, any());
      default -> {
        tail = Bytes.padTail(tail, Integer.BYTES);
        Bytes.putInt(tail, 0, integer());
      }
    }
    return Bytes.add(head, tail);
  }
}
