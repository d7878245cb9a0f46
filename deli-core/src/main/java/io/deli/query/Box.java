package io.deli.query;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A rectangle of points, its edges included, and the tokens of points: on the Z-order curve, which
 * takes the bits of both coordinates in turn. No token of a point in a rectangle is less than that
 * of its low corner, or greater than that of its high corner.
 *
 * @param low least of both coordinates
 * @param high greatest of both coordinates
 */
public record Box(Point low, Point high) {
  private static final int LENGTH = 2 * Long.BYTES;

  /**
   * @throws IllegalArgumentException if no point is in it
   */
  public Box {
    if (low.x() > high.x() || low.y() > high.y()) {
      throw new IllegalArgumentException(
          "%s to %s is no rectangle: give its least x,y first, then its greatest"
              .formatted(low, high));
    }
  }

  /** The least rectangle that has all points, of which there must be one. */
  public static Box around(Collection<Point> points) {
    DoubleSummaryStatistics x = points.stream().mapToDouble(Point::x).summaryStatistics();
    DoubleSummaryStatistics y = points.stream().mapToDouble(Point::y).summaryStatistics();
    return new Box(new Point(x.getMin(), y.getMin()), new Point(x.getMax(), y.getMax()));
  }

  /** The token of a point: sixteen bytes, whose order is that of the curve. */
  public static byte[] token(Point point) {
    return token(ordered(point.x()), ordered(point.y()));
  }

  /** The token of ordered coordinates. */
  static byte[] token(long x, long y) {
    return Bytes.add(
        Bytes.toBytes(interleaved(x >>> 32, y >>> 32)), Bytes.toBytes(interleaved(x, y)));
  }

  /**
   * The point of a token.
   *
   * @throws IllegalArgumentException if it is the token of none
   */
  public static Point point(byte[] token) {
    if (token.length != LENGTH) {
      throw new IllegalArgumentException(
          "'%s' is the token of no point".formatted(Bytes.toStringBinary(token)));
    }
    long first = Bytes.toLong(token);
    long second = Bytes.toLong(token, Long.BYTES);
    return new Point(
        coordinate(gathered(first >>> 1) << 32 | gathered(second >>> 1)),
        coordinate(gathered(first) << 32 | gathered(second)));
  }

  public boolean contains(Point point) {
    return low.x() <= point.x()
        && point.x() <= high.x()
        && low.y() <= point.y()
        && point.y() <= high.y();
  }

  public boolean overlaps(Box other) {
    return low.x() <= other.high.x()
        && other.low.x() <= high.x()
        && low.y() <= other.high.y()
        && other.low.y() <= high.y();
  }

  /** Bits whose unsigned order is that of the numbers. */
  static long ordered(double coordinate) {
    long bits = Double.doubleToLongBits(coordinate);
    return bits ^ (bits >> 63 | Long.MIN_VALUE);
  }

  static double coordinate(long ordered) {
    return Double.longBitsToDouble(ordered ^ (~ordered >> 63 | Long.MIN_VALUE));
  }

  /** The low halves of two numbers, bit by bit, that of the first ahead. */
  private static long interleaved(long first, long second) {
    return spread(first) << 1 | spread(second);
  }

  /** The low half of a number, a zero ahead of each bit. */
  private static long spread(long number) {
    long bits = number & 0xFFFF_FFFFL;
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFFL;
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FFL;
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0FL;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333L;
    return (bits | bits << 1) & 0x5555_5555_5555_5555L;
  }

  /** Every second bit of a number, from the last on. */
  private static long gathered(long number) {
    long bits = number & 0x5555_5555_5555_5555L;
    bits = (bits | bits >>> 1) & 0x3333_3333_3333_3333L;
    bits = (bits | bits >>> 2) & 0x0F0F_0F0F_0F0F_0F0FL;
    bits = (bits | bits >>> 4) & 0x00FF_00FF_00FF_00FFL;
    bits = (bits | bits >>> 8) & 0x0000_FFFF_0000_FFFFL;
    return (bits | bits >>> 16) & 0x0000_0000_FFFF_FFFFL;
  }
}
