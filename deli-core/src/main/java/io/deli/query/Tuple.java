package io.deli.query;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of several columns as one: of each, in the index's order, its length in four bytes,
 * big endian, and its bytes. Hits of an index on several columns have such a value.
 */
public final class Tuple {
  private Tuple() {}

  /** Joins values. */
  public static byte[] of(List<byte[]> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutput out = new DataOutputStream(bytes);
    try {
      for (byte[] value : values) {
        out.writeInt(value.length);
        out.write(value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("bytes go into memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The values that were joined.
   *
   * @throws IllegalArgumentException if the bytes are no such value
   */
  public static List<byte[]> values(byte[] tuple) {
    ByteBuffer rest = ByteBuffer.wrap(tuple);
    List<byte[]> values = new ArrayList<>();
    while (rest.hasRemaining()) {
      int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
      if (length < 0 || length > rest.remaining()) {
        throw new IllegalArgumentException("no value of several columns");
      }
      byte[] value = new byte[length];
      rest.get(value);
      values.add(value);
    }
    return values;
  }
}
