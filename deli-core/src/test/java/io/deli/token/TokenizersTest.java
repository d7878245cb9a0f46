package io.deli.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.ByteStrings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.util.Bytes;

class TokenizersTest {
  private static final IndexDefinition BYTES = IndexDefinition.on("i", Column.parse("f:c"));

  /** Words of a text; gives the tokens only, as most user-supplied ones will. */
  public static final class Words implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      String text = new String(value, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
      return Stream.of(text.split(" ")).distinct().map(Bytes::toBytes).toList();
    }
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    return ByteStrings.bytes();
  }

  @Provide
  Arbitrary<ValuePredicate> predicates() {
    Arbitrary<Optional<Bound>> bounds =
        Combinators.combine(ByteStrings.bytes(), Arbitraries.of(true, false))
            .as(Bound::new)
            .optional();
    return Arbitraries.oneOf(
        ByteStrings.bytes().map(EqualTo::new),
        ByteStrings.bytes().map(Prefix::new),
        Combinators.combine(bounds, bounds).as(Between::new));
  }

  private static void assertFindable(Tokenizer tokenizer, ValuePredicate predicate, byte[] value) {
    if (tokenizer.matches(predicate, value)) {
      assertThat(tokenizer.tokens(value)).anyMatch(tokenizer.range(predicate)::contains);
    }
  }

  @Property(tries = 5000)
  void exactFindsWhatMatches(
      @ForAll("predicates") ValuePredicate predicate, @ForAll("bytes") byte[] value) {
    Tokenizer exact = Tokenizers.of(BYTES);
    assertFindable(exact, predicate, value);
    assertThat(exact.tokens(value)).containsExactly(value);
    assertThat(exact.matches(predicate, value)).isEqualTo(predicate.test(value));
  }

  @Property(tries = 5000)
  void prefixFindsWhatMatches(
      @ForAll("predicates") ValuePredicate predicate,
      @ForAll("bytes") byte[] value,
      @ForAll @IntRange(min = 1, max = 8) int length) {
    Tokenizer prefix =
        Tokenizers.of(
            BYTES
                .withTokenizer(Tokenizers.PREFIX)
                .withOption(Tokenizers.PREFIX_LENGTH, Integer.toString(length)));
    assertThat(prefix.tokens(value))
        .hasSize(1 + Math.min(length, value.length))
        .allMatch(token -> Bytes.startsWith(value, token))
        .doesNotHaveDuplicates();
    if (predicate instanceof Between between
        && (between.low().isPresent() || between.high().isPresent())) {
      assertThatThrownBy(() -> prefix.range(predicate)).hasMessageContaining("between");
    } else {
      assertFindable(prefix, predicate, value);
      assertThat(prefix.range(predicate).isSingle()).isTrue();
      assertThat(prefix.matches(predicate, value)).isEqualTo(predicate.test(value));
    }
  }

  @Property
  void wordsFindWhatMatches(
      @ForAll("predicates") ValuePredicate predicate, @ForAll("bytes") byte[] value) {
    assertFindable(Tokenizers.of(BYTES.withTokenizer(Words.class.getName())), predicate, value);
  }

  @Example
  void aUsersTokenizerIsAskedForTokensOnly() {
    Tokenizer words = Tokenizers.of(BYTES.withTokenizer(Words.class.getName()));
    byte[] text = Bytes.toBytes("To be or not to be");
    assertThat(words.tokens(text)).hasSize(4);
    assertThat(words.matches(new EqualTo(Bytes.toBytes("be")), text)).isTrue();
    assertThat(words.matches(new EqualTo(Bytes.toBytes("b")), text)).isFalse();
    assertThat(words.matches(new Prefix(Bytes.toBytes("b")), text)).isTrue();
  }

  private static Tokenizer typed(ValueType type) {
    return Tokenizers.of(BYTES.withType(type));
  }

  private static void assertNumeric(ValueType type, byte[] a, byte[] b, int order) {
    Tokenizer tokenizer = typed(type);
    byte[] tokenA = tokenizer.tokens(a).get(0);
    byte[] tokenB = tokenizer.tokens(b).get(0);
    assertThat(Integer.signum(Bytes.compareTo(tokenA, tokenB))).isEqualTo(Integer.signum(order));
    assertConditions(tokenizer, a, b, order);
  }

  /** Of each kind, with a as operand and b as value. */
  private static void assertConditions(Tokenizer tokenizer, byte[] a, byte[] b, int order) {
    Optional<Bound> open = Optional.of(new Bound(a, false));
    Optional<Bound> closed = Optional.of(new Bound(a, true));
    assertCondition(tokenizer, new EqualTo(a), b, order == 0);
    assertCondition(tokenizer, new Between(open, Optional.empty()), b, order < 0);
    assertCondition(tokenizer, new Between(closed, Optional.empty()), b, order <= 0);
    assertCondition(tokenizer, new Between(Optional.empty(), open), b, order > 0);
    assertCondition(tokenizer, new Between(Optional.empty(), closed), b, order >= 0);
  }

  private static void assertCondition(
      Tokenizer tokenizer, ValuePredicate predicate, byte[] value, boolean expected) {
    assertThat(tokenizer.matches(predicate, value)).as(predicate.toString()).isEqualTo(expected);
    assertFindable(tokenizer, predicate, value);
  }

  @Property
  void intsKeepTheirOrder(@ForAll int a, @ForAll int b) {
    assertNumeric(ValueType.INT, Bytes.toBytes(a), Bytes.toBytes(b), Integer.compare(a, b));
  }

  @Property
  void longsKeepTheirOrder(@ForAll long a, @ForAll long b) {
    assertNumeric(ValueType.LONG, Bytes.toBytes(a), Bytes.toBytes(b), Long.compare(a, b));
  }

  @Property
  void floatsKeepTheirOrder(@ForAll("floats") float a, @ForAll("floats") float b) {
    assertNumeric(ValueType.FLOAT, Bytes.toBytes(a), Bytes.toBytes(b), Float.compare(a, b));
  }

  @Provide
  Arbitrary<Float> floats() {
    return Arbitraries.oneOf(
        Arbitraries.floats(),
        Arbitraries.of(
            0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY));
  }

  @Property
  void doublesKeepTheirOrder(@ForAll("doubles") double a, @ForAll("doubles") double b) {
    assertNumeric(ValueType.DOUBLE, Bytes.toBytes(a), Bytes.toBytes(b), Double.compare(a, b));
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.doubles(),
        Arbitraries.of(
            0d,
            -0d,
            Double.NaN,
            Double.MIN_VALUE,
            Double.NEGATIVE_INFINITY,
            Double.POSITIVE_INFINITY));
  }

  @Property(tries = 5000)
  void decimalsKeepTheirOrder(@ForAll("decimals") BigDecimal a, @ForAll("decimals") BigDecimal b) {
    assertNumeric(ValueType.DECIMAL, Bytes.toBytes(a), Bytes.toBytes(b), a.compareTo(b));
  }

  @Provide
  Arbitrary<BigDecimal> decimals() {
    return Arbitraries.oneOf(
        Combinators.combine(Arbitraries.bigIntegers(), Arbitraries.integers().between(-60, 60))
            .as(BigDecimal::new),
        Arbitraries.bigDecimals().ofScale(3),
        Arbitraries.of("0", "0.00", "1", "1.0", "-1", "10", "1E+2", "1E-2", "-0.5")
            .map(BigDecimal::new));
  }

  @Property
  void decimalsOfMoreDigitsThanATokenKeepsAreStillTold(
      @ForAll("digits") String tailA, @ForAll("digits") String tailB, @ForAll boolean negative) {
    String head = (negative ? "-" : "") + "1234567890123456789012345678901.";
    BigDecimal a = new BigDecimal(head + tailA);
    BigDecimal b = new BigDecimal(head + tailB);
    assertConditions(typed(ValueType.DECIMAL), Bytes.toBytes(a), Bytes.toBytes(b), a.compareTo(b));
  }

  /** A token keeps one, and the sides of one are encoded in different ways. */
  @Property
  void decimalsThatRoundToOneKeepTheirOrder(@ForAll boolean negative) {
    List<String> ascending = List.of("0.5", "0." + "9".repeat(32), "1", "1.5");
    for (String a : ascending) {
      for (String b : ascending) {
        BigDecimal signed = new BigDecimal((negative ? "-" : "") + a);
        BigDecimal other = new BigDecimal((negative ? "-" : "") + b);
        assertConditions(
            typed(ValueType.DECIMAL),
            Bytes.toBytes(signed),
            Bytes.toBytes(other),
            signed.compareTo(other));
      }
    }
  }

  @Provide
  Arbitrary<String> digits() {
    return Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(3);
  }

  @Example
  void valuesOfAnotherLengthAreRefused() {
    for (ValueType type :
        List.of(ValueType.INT, ValueType.LONG, ValueType.DOUBLE, ValueType.DECIMAL)) {
      assertThatThrownBy(() -> typed(type).tokens(new byte[3]))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContaining(type.name());
    }
  }

  @Example
  void decimalsWhoseExponentsOverflowAreRefused() {
    for (int scale : new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE + 1}) {
      for (String digits : List.of("1", "-1", "9".repeat(40))) {
        byte[] value = Bytes.toBytes(new BigDecimal(new BigInteger(digits), scale));
        assertThatThrownBy(() -> typed(ValueType.DECIMAL).tokens(value))
            .as("%s of scale %d", digits, scale)
            .isInstanceOf(InvalidIndexException.class);
      }
    }
    BigDecimal least = new BigDecimal(BigInteger.ONE, 1 << 30);
    BigDecimal greatest = new BigDecimal(BigInteger.ONE, 2 - (1 << 30));
    assertNumeric(ValueType.DECIMAL, Bytes.toBytes(least), Bytes.toBytes(BigDecimal.ONE), -1);
    assertNumeric(ValueType.DECIMAL, Bytes.toBytes(greatest), Bytes.toBytes(BigDecimal.TEN), 1);
  }

  @Example
  void prefixesOfNumbersAreRefused() {
    assertThatThrownBy(() -> typed(ValueType.LONG).range(new Prefix(new byte[8])))
        .hasMessageContainingAll("prefix", "LONG");
  }

  @Provide
  Arbitrary<Point> points() {
    return Combinators.combine(
            Arbitraries.integers().between(-2, 2), Arbitraries.integers().between(-2, 2))
        .as(Point::new);
  }

  @Property
  void pointsAreFoundInARectangle(
      @ForAll("points") Point low, @ForAll("points") Point high, @ForAll("points") Point point) {
    Tokenizer points = typed(ValueType.POINT);
    byte[] value = point.toBytes();
    assertCondition(points, new EqualTo(low.toBytes()), value, point.equals(low));
    Between rectangle = rectangle(low, high, true);
    if (low.x() > high.x() || low.y() > high.y()) {
      assertThatThrownBy(() -> points.range(rectangle)).hasMessageContaining("is no rectangle");
    } else {
      boolean inside = new Box(low, high).contains(point);
      assertCondition(points, rectangle, value, inside);
      assertThat(points.range(rectangle).contains(points.tokens(value).get(0))).isEqualTo(inside);
    }
  }

  private static Between rectangle(Point low, Point high, boolean inclusive) {
    return new Between(
        Optional.of(new Bound(low.toBytes(), inclusive)),
        Optional.of(new Bound(high.toBytes(), inclusive)));
  }

  @Example
  void pointsHaveNoOrder() {
    Tokenizer points = typed(ValueType.POINT);
    for (Between between :
        List.of(
            rectangle(new Point(0, 0), new Point(1, 1), false),
            new Between(Optional.empty(), Optional.empty()))) {
      assertThatThrownBy(() -> points.range(between)).hasMessageContaining("points have no order");
    }
    assertThatThrownBy(() -> points.range(new Prefix(new byte[16])))
        .hasMessageContaining("no POINT");
  }

  @Example
  void aTokenDecides_whereItIsAllOfTheValue() {
    assertThat(typed(ValueType.BYTES).rangeDecides()).isTrue();
    assertThat(typed(ValueType.LONG).rangeDecides()).isTrue();
    assertThat(typed(ValueType.POINT).rangeDecides()).isTrue();
    assertThat(typed(ValueType.DECIMAL).rangeDecides()).isFalse();
    IndexDefinition prefix = BYTES.withTokenizer(Tokenizers.PREFIX);
    assertThat(Tokenizers.of(prefix).rangeDecides()).isFalse();
    assertThat(Tokenizers.of(prefix).tokens(new byte[20])).hasSize(9);
    assertThat(
            Tokenizers.of(prefix.withOption(Tokenizers.PREFIX_LENGTH, "1000"))
                .tokens(new byte[2000]))
        .hasSize(1001);
  }

  /** Two numbers of more digits than a token keeps may be on both sides of an open bound. */
  @Example
  void openBoundsOfDecimals_areClosedAmongTokens() {
    Tokenizer decimals = typed(ValueType.DECIMAL);
    byte[] bound = Bytes.toBytes(new BigDecimal("1.5"));
    for (Between between :
        List.of(
            new Between(Optional.of(new Bound(bound, false)), Optional.empty()),
            new Between(Optional.empty(), Optional.of(new Bound(bound, false))))) {
      assertThat(decimals.range(between).contains(decimals.tokens(bound).get(0))).isTrue();
      assertThat(decimals.matches(between, bound)).isFalse();
      byte[] beyond = Bytes.toBytes(new BigDecimal(between.low().isPresent() ? "1.4" : "1.6"));
      assertThat(decimals.range(between).contains(decimals.tokens(beyond).get(0))).isFalse();
    }
  }

  @Example
  void aUsersTokenizer_isLoaded_whateverItsThreadLoads() {
    IndexDefinition words = BYTES.withTokenizer(Words.class.getName());
    assertThat(Tokenizers.userClass(words)).hasValue(Words.class.getName());
    assertThat(Tokenizers.userClass(BYTES)).isEmpty();
    assertThat(Tokenizers.userClass(BYTES.withTokenizer(Tokenizers.PREFIX))).isEmpty();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(null);
      assertThat(Tokenizers.of(words)).isInstanceOf(Words.class);
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
      assertThat(Tokenizers.of(words)).isInstanceOf(Words.class);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Example
  void textIsWrittenAsItIsRead() {
    Map.of(
            ValueType.BYTES, "a\\x00",
            ValueType.STRING, "\u00e4",
            ValueType.INT, "-1",
            ValueType.LONG, "12345678901",
            ValueType.FLOAT, "1.5",
            ValueType.DOUBLE, "-1.5",
            ValueType.DECIMAL, "1.50",
            ValueType.POINT, "1.0,2.0")
        .forEach((type, text) -> assertThat(type.format(type.parse(text))).isEqualTo(text));
    assertThat(ValueType.INT.format(new byte[] {'x'})).isEqualTo("x");
    assertThat(ValueType.DECIMAL.format(new byte[] {1, 2, 3, 4})).isEqualTo("\\x01\\x02\\x03\\x04");
    assertThat(ValueType.STRING.ordered(new byte[] {'x'})).containsExactly('x');
    assertThatThrownBy(() -> ValueType.LONG.parse("many"))
        .hasMessage("'many' is not a valid LONG (-9223372036854775808 to 9223372036854775807)");
  }

  @Example
  void definitionsThatDoNotFitAreRefused() {
    assertThatThrownBy(
            () -> Tokenizers.of(BYTES.withType(ValueType.INT).withTokenizer(Tokenizers.PREFIX)))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("index 'i'", "INT");
    IndexDefinition prefix = BYTES.withTokenizer(Tokenizers.PREFIX);
    for (String length : List.of("0", "1001", "many")) {
      assertThatThrownBy(() -> Tokenizers.of(prefix.withOption(Tokenizers.PREFIX_LENGTH, length)))
          .isInstanceOf(InvalidIndexException.class)
          .hasMessageContainingAll("1 to 1000", length);
    }
    assertThatThrownBy(() -> Tokenizers.of(BYTES.withTokenizer("no.such.Class")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("'no.such.Class'");
    assertThatThrownBy(() -> Tokenizers.of(BYTES.withTokenizer("java.lang.String")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("implements");
  }
}
