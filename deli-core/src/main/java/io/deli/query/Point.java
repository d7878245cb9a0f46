package io.deli.query;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A point in the plane, such as longitude and latitude: a value of type {@code POINT}.
 *
 * <p>Its encoding is that of {@link Bytes} for two doubles, x before y: sixteen bytes.
 */
public record Point(double x, double y) {
  private static final int LENGTH = 2 * Bytes.SIZEOF_DOUBLE;

  /**
   * @throws IllegalArgumentException if a coordinate is not finite
   */
  public Point {
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      throw new IllegalArgumentException(
          "%s,%s is no point: coordinates are finite".formatted(x, y));
    }
    // There is one zero.
    x += 0.0;
    y += 0.0;
  }

  /**
   * Takes a point out of its encoding.
   *
   * @throws IllegalArgumentException if the bytes are none
   */
  public static Point of(byte[] value) {
    if (value.length != LENGTH) {
      throw new IllegalArgumentException(
          "POINT takes %d bytes, not the %d given".formatted(LENGTH, value.length));
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new Point(bytes.getDouble(), bytes.getDouble());
  }

  /**
   * Reads {@code x,y}.
   *
   * @throws IllegalArgumentException if the text is no point
   */
  public static Point parse(String text) {
    String[] coordinates = text.split(",", -1);
    try {
      if (coordinates.length == 2) {
        return new Point(
            Double.parseDouble(coordinates[0].trim()), Double.parseDouble(coordinates[1].trim()));
      }
    } catch (NumberFormatException e) {
      throw notOne(text, e);
    }
    throw notOne(text, null);
  }

  private static IllegalArgumentException notOne(String text, Throwable cause) {
    return new IllegalArgumentException("'" + text + "' is no POINT: write x,y", cause);
  }

  public byte[] toBytes() {
    return Bytes.add(Bytes.toBytes(x), Bytes.toBytes(y));
  }

  /** Returns the text form that {@link #parse} reads. */
  @Override
  public String toString() {
    return x + "," + y;
  }
}
