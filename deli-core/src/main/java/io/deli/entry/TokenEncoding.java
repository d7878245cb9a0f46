package io.deli.entry;

import java.util.Arrays;

/**
 * Bytes, such as a token, in others that keep their order and end themselves; see the package
 * documentation.
 *
 * <p>Not HBase's {@code OrderedBytes.encodeBlobVar}: its continuation bit outweighs the payload, so
 * that {@code 00 FF} sorts behind {@code 01} there.
 */
public final class TokenEncoding {
  private static final byte ZERO = 0x00;
  private static final byte ESCAPED = (byte) 0xFF;
  private static final byte END = 0x00;

  private TokenEncoding() {}

  public static byte[] encode(byte[] token) {
    int zeros = 0;
    for (byte b : token) {
      zeros += b == ZERO ? 1 : 0;
    }
    byte[] encoded = new byte[token.length + zeros + 2];
    int size = 0;
    for (byte b : token) {
      encoded[size++] = b;
      if (b == ZERO) {
        encoded[size++] = ESCAPED;
      }
    }
    encoded[size++] = ZERO;
    encoded[size] = END;
    return encoded;
  }

  /**
   * Length of the encoded token that a row begins with.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static int length(byte[] row) {
    for (int i = 0; i + 1 < row.length; i++) {
      if (row[i] == ZERO) {
        i++;
        if (row[i] == END) {
          return i + 1;
        }
        if (row[i] != ESCAPED) {
          break;
        }
      }
    }
    throw new IllegalArgumentException("no token ends in it");
  }

  /** The token that a row begins with, its encoded length given. */
  public static byte[] decode(byte[] row, int length) {
    byte[] token = new byte[length];
    int size = 0;
    for (int i = 0; i < length - 2; i++) {
      token[size++] = row[i];
      if (row[i] == ZERO) {
        i++;
      }
    }
    return Arrays.copyOf(token, size);
  }
}
