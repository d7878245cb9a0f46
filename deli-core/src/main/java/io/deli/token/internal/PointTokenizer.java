package io.deli.token.internal;

import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.token.Tokenizer;
import java.util.List;
import java.util.Optional;

/** One token per point; {@code between} two corners asks for a rectangle. */
public final class PointTokenizer implements Tokenizer {
  @Override
  public List<byte[]> tokens(byte[] value) {
    return List.of(Box.token(Point.of(value)));
  }

  @Override
  public TokenRange range(ValuePredicate predicate) {
    return TokenRange.within(box(predicate));
  }

  @Override
  public boolean rangeDecides() {
    return true;
  }

  @Override
  public boolean matches(ValuePredicate predicate, byte[] value) {
    return box(predicate).contains(Point.of(value));
  }

  private static Box box(ValuePredicate predicate) {
    if (predicate instanceof EqualTo equal) {
      Point point = Point.of(equal.value());
      return new Box(point, point);
    }
    if (predicate instanceof Between between) {
      return new Box(corner(between.low()), corner(between.high()));
    }
    throw new IllegalArgumentException(
        "a prefix query needs an index on BYTES or STRING, no POINT");
  }

  private static Point corner(Optional<Bound> bound) {
    return bound
        .filter(Bound::inclusive)
        .map(given -> Point.of(given.value()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "points have no order: ask for a rectangle, between two corners included"));
  }
}
