package io.deli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.ByteStrings;
import io.deli.query.Condition.And;
import io.deli.query.Condition.OnIndex;
import io.deli.query.Condition.Or;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

class TokenRangeTest {
  @Provide
  Arbitrary<byte[]> bytes() {
    return ByteStrings.bytes();
  }

  @Property(tries = 5000)
  void startingWithHoldsExactlyWhatStartsSo(
      @ForAll("bytes") byte[] prefix, @ForAll("bytes") byte[] token) {
    assertThat(TokenRange.startingWith(prefix).contains(token))
        .isEqualTo(Bytes.startsWith(token, prefix));
    assertThat(TokenRange.startingWith(prefix).contains(Bytes.add(prefix, token))).isTrue();
  }

  @Property(tries = 5000)
  void limitedTo_holdsTheSameTokensUpToTheLength(
      @ForAll("bytes") byte[] first,
      @ForAll("bytes") byte[] end,
      @ForAll("bytes") byte[] token,
      @ForAll @IntRange(min = 1, max = 4) int length) {
    for (Optional<byte[]> behind : List.of(Optional.of(end), Optional.<byte[]>empty())) {
      TokenRange range = TokenRange.of(first, behind);
      TokenRange limited = range.limitedTo(length);
      byte[] shortened = Arrays.copyOf(token, Math.min(token.length, length));
      assertThat(limited.contains(shortened)).isEqualTo(range.contains(shortened));
      assertThat(limited.first().length).isLessThanOrEqualTo(length);
      assertThat(limited.end().map(bytes -> bytes.length).orElse(0)).isLessThanOrEqualTo(length);
    }
    byte[] longer = Bytes.add(Arrays.copyOf(first, length), new byte[] {1});
    assertThat(TokenRange.only(longer).limitedTo(length).isEmpty()).isTrue();
    TokenRange prefixed = TokenRange.startingWith(longer).limitedTo(length);
    assertThat(prefixed.isEmpty() || !prefixed.contains(Arrays.copyOf(longer, length))).isTrue();
  }

  @Example
  void aPrefixOfTheGreatestBytesHasNoEnd() {
    byte[] greatest = {(byte) 0xFF, (byte) 0xFF};
    assertThat(TokenRange.startingWith(greatest).end()).isEmpty();
    assertThat(TokenRange.startingWith(new byte[0]).end()).isEmpty();
    byte[] carries = {1, (byte) 0xFF};
    assertThat(TokenRange.startingWith(carries).end()).hasValue(new byte[] {2});
  }

  @Property(tries = 5000)
  void rangesOverlapIfTheLaterOneBeginsInTheOther(
      @ForAll("bytes") byte[] a,
      @ForAll("bytes") byte[] b,
      @ForAll("bytes") byte[] c,
      @ForAll("bytes") byte[] d) {
    TokenRange one = TokenRange.of(a, Optional.of(b));
    TokenRange other = TokenRange.of(c, Optional.of(d));
    byte[] later = Bytes.compareTo(a, c) < 0 ? c : a;
    assertThat(one.overlaps(other)).isEqualTo(one.contains(later) && other.contains(later));
    assertThat(other.overlaps(one)).isEqualTo(one.overlaps(other));
    assertThat(one.overlaps(TokenRange.of(c, Optional.empty())))
        .isEqualTo(one.contains(later) && Bytes.compareTo(later, c) >= 0);
  }

  @Property
  void onlyHoldsOneToken(@ForAll("bytes") byte[] token, @ForAll("bytes") byte[] other) {
    TokenRange range = TokenRange.only(token);
    assertThat(range.contains(token)).isTrue();
    assertThat(range.isSingle()).isTrue();
    assertThat(range.isEmpty()).isFalse();
    assertThat(range.contains(other)).isEqualTo(Bytes.equals(token, other));
    assertThat(new EqualTo(token).test(other)).isEqualTo(Bytes.equals(token, other));
  }

  @Property
  void nothingLiesBetweenATokenAndItsSuccessor(
      @ForAll("bytes") byte[] token, @ForAll("bytes") byte[] other) {
    byte[] successor = TokenRange.successor(token);
    assertThat(Bytes.compareTo(token, successor)).isNegative();
    assertThat(Bytes.compareTo(token, other) < 0 && Bytes.compareTo(other, successor) < 0)
        .isFalse();
  }

  @Example
  void noRowKeyLiesBetweenTheLongestOneAndWhatIsBehindIt() {
    byte[] row = new byte[HConstants.MAX_ROW_LENGTH];
    assertThat(TokenRange.behindRow(Arrays.copyOf(row, row.length - 1))).contains(row);
    Arrays.fill(row, 7, row.length, (byte) 0xFF);
    assertThat(TokenRange.behindRow(row)).contains(new byte[] {0, 0, 0, 0, 0, 0, 1});
    Arrays.fill(row, (byte) 0xFF);
    assertThat(TokenRange.behindRow(row)).isEmpty();
  }

  @Property(tries = 5000)
  void betweenHoldsWhatItsBoundsSay(
      @ForAll("bytes") byte[] low,
      @ForAll boolean lowInclusive,
      @ForAll("bytes") byte[] high,
      @ForAll boolean highInclusive,
      @ForAll("bytes") byte[] token) {
    Optional<Bound> from = Optional.of(new Bound(low, lowInclusive));
    Optional<Bound> to = Optional.of(new Bound(high, highInclusive));
    int aboveLow = Bytes.compareTo(token, low);
    int belowHigh = Bytes.compareTo(high, token);
    boolean above = aboveLow > 0 || (aboveLow == 0 && lowInclusive);
    boolean below = belowHigh > 0 || (belowHigh == 0 && highInclusive);
    assertThat(new Between(from, to).test(token)).isEqualTo(above && below);
    assertThat(new Between(from, Optional.empty()).test(token)).isEqualTo(above);
    assertThat(new Between(Optional.empty(), to).test(token)).isEqualTo(below);
    assertThat(new Between(Optional.empty(), Optional.empty()).test(token)).isTrue();
  }

  @Property
  void anEmptyRangeHoldsNothing(@ForAll("bytes") byte[] low, @ForAll("bytes") byte[] token) {
    Optional<Bound> open = Optional.of(new Bound(low, false));
    Between nothing = new Between(open, open);
    assertThat(nothing.range().isEmpty()).isTrue();
    assertThat(nothing.test(token)).isFalse();
  }

  @Property
  void isReadAsItWasWritten(@ForAll("bytes") byte[] first, @ForAll("bytes") byte[] end)
      throws IOException {
    for (Optional<byte[]> behind : List.of(Optional.of(end), Optional.<byte[]>empty())) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      TokenRange.of(first, behind).write(new DataOutputStream(bytes));
      TokenRange read =
          TokenRange.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
      assertThat(read.first()).isEqualTo(first);
      assertThat(read.end().map(Bytes::toStringBinary))
          .isEqualTo(behind.map(Bytes::toStringBinary));
    }
  }

  @Example
  void areWrittenAsIntervals() {
    byte[] a = {'a'};
    byte[] b = {'b'};
    assertThat(TokenRange.of(a, Optional.of(b))).hasToString("[a, b)");
    assertThat(TokenRange.of(a, Optional.empty())).hasToString("[a, unbounded)");
    assertThat(TokenRange.within(new Box(new Point(0, 1), new Point(2, 3))).toString())
        .endsWith(") within 0.0,1.0 to 2.0,3.0");
    assertThat(new EqualTo(a)).hasToString("= a");
    assertThat(new Prefix(a)).hasToString("starts with a");
    Optional<Bound> open = Optional.of(new Bound(a, false));
    Optional<Bound> closed = Optional.of(new Bound(b, true));
    assertThat(new Between(open, closed)).hasToString("in (a, b]");
    assertThat(new Between(closed, open)).hasToString("in [b, a)");
    assertThat(new Between(Optional.empty(), Optional.empty()))
        .hasToString("in (unbounded, unbounded)");
    Condition either = new Or(new OnIndex("i", new EqualTo(a)), new OnIndex("j", new EqualTo(b)));
    assertThat(new And(either, new OnIndex("k", new Prefix(b))))
        .hasToString("((i = a or j = b) and k starts with b)");
  }

  @Property
  void aMappedPredicate_isOfTheMappedOperands(
      @ForAll("bytes") byte[] operand, @ForAll("bytes") byte[] token) {
    UnaryOperator<byte[]> mapping = bytes -> Bytes.add(new byte[] {'x'}, bytes);
    Optional<Bound> open = Optional.of(new Bound(operand, false));
    Optional<Bound> closed = Optional.of(new Bound(operand, true));
    for (ValuePredicate predicate :
        List.of(
            new EqualTo(operand),
            new Prefix(operand),
            new Between(open, Optional.empty()),
            new Between(Optional.empty(), closed))) {
      boolean mapped = predicate.map(mapping).test(mapping.apply(token));
      assertThat(mapped).isEqualTo(predicate.test(token));
    }
  }

  @Property
  void prefixIsAPredicate(@ForAll("bytes") byte[] prefix, @ForAll("bytes") byte[] token) {
    assertThat(new Prefix(prefix).test(token)).isEqualTo(Bytes.startsWith(token, prefix));
  }

  @Example
  void aRectangleWithoutPointsIsRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    Bytes.writeByteArray(out, Box.token(new Point(2, 1)));
    out.writeByte(2);
    Bytes.writeByteArray(out, TokenRange.successor(Box.token(new Point(1, 3))));
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertThatThrownBy(() -> TokenRange.read(in))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("2.0,1.0 to 1.0,3.0 is no rectangle");
  }
}
