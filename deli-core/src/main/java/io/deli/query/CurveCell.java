package io.deli.query;

import java.util.List;

/**
 * A cell of the plane whose points are neighbours on the Z-order curve: those whose coordinates
 * begin with the same bits, of x as many as of y, or one more.
 *
 * @param xs the coordinates of its points
 * @param bits how many their tokens share
 */
record CurveCell(Span xs, Span ys, int bits) {
  static final CurveCell PLANE = new CurveCell(Span.ALL, Span.ALL, 0);

  static CurveCell of(Box box) {
    return new CurveCell(
        Span.of(box.low().x(), box.high().x()), Span.of(box.low().y(), box.high().y()), 0);
  }

  /** Coordinates from one to another, both included, as {@link Box#ordered} has them. */
  record Span(long least, long greatest) {
    private static final Span ALL = new Span(0, -1);

    static Span of(double least, double greatest) {
      return new Span(Box.ordered(least), Box.ordered(greatest));
    }

    private boolean meets(Span other) {
      return Long.compareUnsigned(least, other.greatest) <= 0
          && Long.compareUnsigned(other.least, greatest) <= 0;
    }

    private List<Span> halves(int bit) {
      long middle = least | Long.MIN_VALUE >>> bit;
      return List.of(new Span(least, middle - 1), new Span(middle, greatest));
    }

    /** The length of what lies within a distance of zero, in units of it. */
    private double length(double distance) {
      return at(greatest, distance) / distance - at(least, distance) / distance;
    }

    private Span common(Span other) {
      return new Span(
          Long.compareUnsigned(least, other.least) > 0 ? least : other.least,
          Long.compareUnsigned(greatest, other.greatest) < 0 ? greatest : other.greatest);
    }

    private static double at(long ordered, double distance) {
      if (Long.compareUnsigned(ordered, Box.ordered(-distance)) < 0) {
        return -distance;
      }
      return Long.compareUnsigned(ordered, Box.ordered(distance)) > 0
          ? distance
          : Box.coordinate(ordered);
    }
  }

  boolean meets(CurveCell other) {
    return xs.meets(other.xs) && ys.meets(other.ys);
  }

  CurveCell common(CurveCell other) {
    return new CurveCell(xs.common(other.xs), ys.common(other.ys), bits);
  }

  /** Returns the area within a distance of the axes, in units of the squared distance. */
  double area(double distance) {
    return xs.length(distance) * ys.length(distance);
  }

  List<CurveCell> halves() {
    return bits % 2 == 0
        ? xs.halves(bits / 2).stream().map(half -> new CurveCell(half, ys, bits + 1)).toList()
        : ys.halves(bits / 2).stream().map(half -> new CurveCell(xs, half, bits + 1)).toList();
  }

  byte[] firstToken() {
    return Box.token(xs.least, ys.least);
  }

  byte[] lastToken() {
    return Box.token(xs.greatest, ys.greatest);
  }
}
