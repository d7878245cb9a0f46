package io.deli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

class BoxTest {
  /** Far ones, and such as lie close together. */
  @Provide
  Arbitrary<Point> points() {
    Arbitrary<Double> coordinates =
        Arbitraries.oneOf(
            Arbitraries.doubles(),
            Arbitraries.doubles().between(-180, 180).ofScale(1),
            Arbitraries.integers().between(-3, 3).map(Integer::doubleValue));
    return Combinators.combine(coordinates, coordinates).as(Point::new);
  }

  private static Box box(Point one, Point other) {
    return new Box(
        new Point(Math.min(one.x(), other.x()), Math.min(one.y(), other.y())),
        new Point(Math.max(one.x(), other.x()), Math.max(one.y(), other.y())));
  }

  @Property(tries = 5000)
  void tokensAreThoseOfTheirPoints(@ForAll("points") Point point) {
    assertThat(Box.point(Box.token(point))).isEqualTo(point);
    assertThat(Point.of(point.toBytes())).isEqualTo(point);
    assertThat(Point.parse(point.toString())).isEqualTo(point);
  }

  @Property(tries = 5000)
  void noTokenIsOutsideThoseOfTheCorners(
      @ForAll("points") Point one, @ForAll("points") Point other, @ForAll("points") Point point) {
    Box box = box(one, other);
    if (box.contains(point)) {
      assertThat(Bytes.compareTo(Box.token(point), Box.token(box.low()))).isNotNegative();
      assertThat(Bytes.compareTo(Box.token(point), Box.token(box.high()))).isNotPositive();
    }
    assertThat(TokenRange.within(box).contains(Box.token(point))).isEqualTo(box.contains(point));
    assertThat(TokenRange.within(box).contains(Box.token(one))).isTrue();
  }

  @Property(tries = 2000)
  void partsHoldAllPointsInOrder(
      @ForAll("points") Point one, @ForAll("points") Point other, @ForAll("points") Point point) {
    TokenRange range = TokenRange.within(box(one, other));
    List<TokenRange> parts = range.parts();
    assertThat(parts).hasSizeBetween(1, 64);
    for (int i = 1; i < parts.size(); i++) {
      assertThat(parts.get(i - 1).end()).hasValueSatisfying(end(parts.get(i).first()));
    }
    for (Point inside : List.of(one, other, point)) {
      byte[] token = Box.token(inside);
      assertThat(parts.stream().filter(part -> part.contains(token)).count())
          .isBetween(range.contains(token) ? 1L : 0L, 1L);
    }
  }

  private static Consumer<byte[]> end(byte[] next) {
    return end -> assertThat(Bytes.compareTo(end, next)).isNegative();
  }

  @Example
  void partsHoldFewOthers() {
    Random random = new Random(1);
    Box box = new Box(new Point(-18, -9), new Point(18, 9));
    List<TokenRange> parts = TokenRange.within(box).parts();
    int inside = 0;
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      Point point = new Point(random.nextDouble(-180, 180), random.nextDouble(-90, 90));
      byte[] token = Box.token(point);
      inside += box.contains(point) ? 1 : 0;
      read += parts.stream().anyMatch(part -> part.contains(token)) ? 1 : 0;
    }
    assertThat(inside).isBetween(100, 300);
    assertThat(read).isBetween(inside, 2 * inside);
  }

  @Property(tries = 5000)
  void boxesOverlapIfAPointIsInBoth(
      @ForAll("points") Point a,
      @ForAll("points") Point b,
      @ForAll("points") Point c,
      @ForAll("points") Point d) {
    Box one = box(a, b);
    Box other = box(c, d);
    Point lowest =
        new Point(
            Math.max(one.low().x(), other.low().x()), Math.max(one.low().y(), other.low().y()));
    boolean common = one.contains(lowest) && other.contains(lowest);
    assertThat(one.overlaps(other)).isEqualTo(common);
    assertThat(TokenRange.within(one).overlaps(TokenRange.within(other))).isEqualTo(common);
    assertThat(TokenRange.within(one).overlaps(TokenRange.only(Box.token(b)))).isTrue();
  }

  @Property
  void rangesAreReadAsTheyWereWritten(@ForAll("points") Point one, @ForAll("points") Point other)
      throws IOException {
    TokenRange range = TokenRange.within(box(one, other));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    range.write(new DataOutputStream(bytes));
    TokenRange read =
        TokenRange.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertThat(read.box()).hasValue(box(one, other));
    assertThat(read.first()).isEqualTo(range.first());
    assertThat(read.end()).hasValue(range.end().orElseThrow());
  }

  @Example
  void oneToken_isAPartOfItsOwn() {
    Point point = new Point(1, 2);
    TokenRange range = TokenRange.within(box(point, point));
    assertThat(range.parts()).containsExactly(range);
  }

  @Property
  void around_isTheLeastBoxWithAllPoints(
      @ForAll("points") Point one, @ForAll("points") Point other) {
    assertThat(Box.around(List.of(one, other))).isEqualTo(box(one, other));
  }

  @Example
  void thereIsOneZero() {
    assertThat(new Point(-0.0, 0.0)).isEqualTo(new Point(0.0, -0.0));
  }

  @Example
  void whatIsNoPointIsRefused() {
    for (String text : new String[] {"", "1", "1,2,3", "a,b", "NaN,1", "1,Infinity"}) {
      assertThatThrownBy(() -> ValueType.POINT.parse(text))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageMatching("(?i).* is no point: .*");
    }
    assertThatThrownBy(() -> Point.of(new byte[8]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16 bytes");
  }

  @Example
  void whatIsNoRangeIsRefused() {
    byte[][] ranges = {
      {}, {-2}, {127}, {1, 'a', 3}, {1, 'a', 1, -2}, {1, 'a', 2, 0}, {1, 'a', 2, 1, 'b'}
    };
    for (byte[] range : ranges) {
      assertThatThrownBy(
              () -> TokenRange.read(new DataInputStream(new ByteArrayInputStream(range))))
          .isInstanceOf(IOException.class);
    }
  }
}
