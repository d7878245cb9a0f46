package io.deli.tools.advise;

import java.util.Arrays;
import java.util.Random;

/**
 * Draws row keys like those seen: each byte between the least and the greatest at its place. So
 * keys of digits give keys of digits, where halving the space between two keys would mostly fall
 * between the digits.
 */
final class KeyShape {
  private byte[] least = {};
  private byte[] greatest = {};

  void see(byte[] key) {
    int before = least.length;
    if (key.length > before) {
      least = Arrays.copyOf(least, key.length);
      greatest = Arrays.copyOf(greatest, key.length);
    }
    for (int i = 0; i < key.length; i++) {
      least[i] = i >= before || less(key[i], least[i]) ? key[i] : least[i];
      greatest[i] = i >= before || less(greatest[i], key[i]) ? key[i] : greatest[i];
    }
  }

  byte[] draw(Random random) {
    byte[] key = least.clone();
    for (int i = 0; i < key.length; i++) {
      int span = Byte.toUnsignedInt(greatest[i]) - Byte.toUnsignedInt(least[i]);
      key[i] += (byte) random.nextInt(span + 1);
    }
    return key;
  }

  private static boolean less(byte a, byte b) {
    return Byte.compareUnsigned(a, b) < 0;
  }
}
