package io.deli.index;

import io.deli.query.Point;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * The encoding of an indexed column's values in the base table.
 *
 * <p>The encodings are those of {@link Bytes}: {@code LONG} is eight bytes, big endian, and so on.
 * {@link #ordered(byte[])} maps such a value to bytes that sort as the values do, by {@link
 * OrderedBytes}.
 */
public enum ValueType {
  BYTES,
  STRING,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  DECIMAL,
  /** See {@link Point}. */
  POINT;

  /** {@link OrderedBytes} keeps 31 significant digits; a header and an exponent come on top. */
  private static final int LONGEST_NUMBER = 64;

  /** Greatest exponent of a decimal, positive or negative: {@link OrderedBytes} doubles it. */
  private static final long MOST_EXPONENT = 1 << 30;

  /** Bytes of a decimal, which takes time by the square of its length. */
  private static final int LONGEST_DECIMAL = 4 << 10;

  /** Bytes of a value that an error shows. */
  private static final int SHOWN = 64;

  public boolean isNumeric() {
    return this != BYTES && this != STRING;
  }

  /**
   * Order-preserving form of a value in this type's encoding.
   *
   * <p>For {@code DECIMAL} it keeps 31 significant digits, so that two decimals that differ only
   * beyond share one form; so do all NaNs. All others map one to one. Floats order by IEEE 754,
   * -0.0 before 0.0 and NaN last. Points have no such form.
   *
   * @throws InvalidIndexException if the bytes are no value of this type
   */
  public byte[] ordered(byte[] value) {
    if (!isNumeric()) {
      return value;
    }
    PositionedByteRange out = new SimplePositionedMutableByteRange(LONGEST_NUMBER);
    try {
      encode(value, out);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new InvalidIndexException(
          "%s is not a valid %s in the encoding of Bytes".formatted(shown(value), this), e);
    }
    byte[] ordered = new byte[out.getPosition()];
    out.setPosition(0);
    out.get(ordered);
    return ordered;
  }

  private void encode(byte[] value, PositionedByteRange out) {
    switch (this) {
      case INT -> OrderedBytes.encodeInt32(out, Bytes.toInt(exactly(4, value)), Order.ASCENDING);
      case LONG -> OrderedBytes.encodeInt64(out, Bytes.toLong(exactly(8, value)), Order.ASCENDING);
      case FLOAT ->
          OrderedBytes.encodeFloat32(out, Bytes.toFloat(exactly(4, value)), Order.ASCENDING);
      case DOUBLE ->
          OrderedBytes.encodeFloat64(out, Bytes.toDouble(exactly(8, value)), Order.ASCENDING);
      // HBase rounds it, too, but chooses its form before, and that of 1 is another than that of
      // what rounds to 1.
      case DECIMAL ->
          OrderedBytes.encodeNumeric(
              out, decimal(value).round(OrderedBytes.DEFAULT_MATH_CONTEXT), Order.ASCENDING);
      default -> throw new IllegalStateException(this + " has no order of numbers");
    }
  }

  private static String shown(byte[] value) {
    return value.length <= SHOWN
        ? "'%s'".formatted(Bytes.toStringBinary(value))
        : "'%s...' (%d bytes)".formatted(Bytes.toStringBinary(value, 0, SHOWN), value.length);
  }

  /**
   * The value of a {@code DECIMAL} column: of at most 4096 bytes.
   *
   * @throws InvalidIndexException if the bytes are none
   */
  public static BigDecimal decimal(byte[] value) {
    if (value.length > Bytes.SIZEOF_INT && value.length <= LONGEST_DECIMAL) {
      BigDecimal decimal = Bytes.toBigDecimal(value);
      long exponent = (long) decimal.precision() - decimal.scale();
      if (Math.abs(exponent) < MOST_EXPONENT) {
        return decimal;
      }
    }
    throw new InvalidIndexException(
        shown(value) + " is not a valid DECIMAL in the encoding of Bytes");
  }

  /**
   * Encodes a value given as text.
   *
   * @throws InvalidIndexException if the text is no value of this type
   */
  public byte[] parse(String text) {
    try {
      return switch (this) {
        // HBase cuts each letter to one byte, so it is given bytes.
        case BYTES ->
            Bytes.toBytesBinary(new String(Bytes.toBytes(text), StandardCharsets.ISO_8859_1));
        case STRING -> text.getBytes(StandardCharsets.UTF_8);
        case INT -> Bytes.toBytes(Integer.parseInt(text.trim()));
        case LONG -> Bytes.toBytes(Long.parseLong(text.trim()));
        case FLOAT -> Bytes.toBytes(Float.parseFloat(text.trim()));
        case DOUBLE -> Bytes.toBytes(Double.parseDouble(text.trim()));
        case DECIMAL -> Bytes.toBytes(new BigDecimal(text.trim()));
        case POINT -> Point.parse(text).toBytes();
      };
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new InvalidIndexException("'%s' is not a valid %s%s".formatted(text, this, range()), e);
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException(e.getMessage(), e);
    }
  }

  private String range() {
    return switch (this) {
      case INT -> " (%d to %d)".formatted(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> " (%d to %d)".formatted(Long.MIN_VALUE, Long.MAX_VALUE);
      default -> "";
    };
  }

  /** The value as text; the inverse of {@link #parse}. Bytes that are no such value print raw. */
  public String format(byte[] value) {
    try {
      return switch (this) {
        case BYTES -> Bytes.toStringBinary(value);
        case STRING -> new String(value, StandardCharsets.UTF_8);
        case INT -> Integer.toString(Bytes.toInt(exactly(4, value)));
        case LONG -> Long.toString(Bytes.toLong(exactly(8, value)));
        case FLOAT -> Float.toString(Bytes.toFloat(exactly(4, value)));
        case DOUBLE -> Double.toString(Bytes.toDouble(exactly(8, value)));
        case DECIMAL -> decimal(value).toString();
        case POINT -> Point.of(value).toString();
      };
    } catch (IllegalArgumentException e) {
      return Bytes.toStringBinary(value);
    }
  }

  /** Whether the bytes are a value in this type's encoding. */
  public boolean takes(byte[] value) {
    try {
      if (this == POINT) {
        Point.of(value);
      } else {
        ordered(value);
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private byte[] exactly(int length, byte[] value) {
    if (value.length != length) {
      throw new InvalidIndexException(
          this + " takes " + length + " bytes, not the " + value.length + " given");
    }
    return value;
  }
}
