package io.deli.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import io.deli.query.Tuple;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Leading;
import io.deli.query.ValuePredicate.Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;

class TupleTokenizerTest {
  private static final Column[] COLUMNS = {
    Column.parse("f:a"), Column.parse("f:b"), Column.parse("f:c")
  };

  /** Short, of few bytes, so that values are equal or begin with one another. */
  private static Arbitrary<byte[]> text() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0xFF)
        .array(byte[].class)
        .ofMaxSize(3)
        .map(byte[]::clone);
  }

  private static Arbitrary<byte[]> numbers() {
    return Arbitraries.oneOf(Arbitraries.longs().between(-2, 2), Arbitraries.longs())
        .map(Bytes::toBytes);
  }

  /** Text, a number, text. */
  @Provide
  Arbitrary<List<byte[]>> rows() {
    return Combinators.combine(text(), numbers(), text()).as(List::of);
  }

  @Provide
  Arbitrary<List<Boolean>> directions() {
    return Arbitraries.of(true, false).list().ofSize(3);
  }

  /** Of one to three columns, the last of which has any condition. */
  @Provide
  Arbitrary<ValuePredicate> predicates() {
    return Arbitraries.oneOf(
        next(text(), true),
        Combinators.combine(text(), next(numbers(), false))
            .as((first, next) -> new Leading(List.of(first), next)),
        Combinators.combine(text(), numbers(), next(text(), true))
            .as((first, second, next) -> new Leading(List.of(first, second), next)));
  }

  private static Arbitrary<ValuePredicate> next(Arbitrary<byte[]> values, boolean hasPrefixes) {
    Arbitrary<Optional<Bound>> bounds =
        Combinators.combine(values, Arbitraries.of(true, false)).as(Bound::new).optional();
    List<Arbitrary<? extends ValuePredicate>> kinds = new ArrayList<>();
    kinds.add(values.map(EqualTo::new));
    kinds.add(Combinators.combine(bounds, bounds).as(Between::new));
    if (hasPrefixes) {
      kinds.add(values.map(Prefix::new));
    }
    return Arbitraries.of(kinds).flatMap(kind -> kind.map(each -> (ValuePredicate) each));
  }

  private static Tokenizer tokenizer(List<Boolean> descending) {
    IndexDefinition definition =
        IndexDefinition.on("i", COLUMNS).withType(ValueType.BYTES, ValueType.LONG, ValueType.BYTES);
    for (int i = 0; i < COLUMNS.length; i++) {
      if (descending.get(i)) {
        definition = definition.withDescending(COLUMNS[i]);
      }
    }
    return Tokenizers.of(definition);
  }

  private static byte[] token(Tokenizer tokenizer, List<byte[]> row) {
    return tokenizer.tokens(Tuple.of(row)).get(0);
  }

  private static int order(List<byte[]> a, List<byte[]> b, List<Boolean> descending) {
    int[] orders = {
      Bytes.compareTo(a.get(0), b.get(0)),
      Long.compare(Bytes.toLong(a.get(1)), Bytes.toLong(b.get(1))),
      Bytes.compareTo(a.get(2), b.get(2))
    };
    for (int i = 0; i < orders.length; i++) {
      if (orders[i] != 0) {
        return Integer.signum(descending.get(i) ? -orders[i] : orders[i]);
      }
    }
    return 0;
  }

  @Property(tries = 5000)
  void tokensKeepTheOrderOfTheColumns(
      @ForAll("rows") List<byte[]> a,
      @ForAll("rows") List<byte[]> b,
      @ForAll("directions") List<Boolean> descending) {
    Tokenizer tokenizer = tokenizer(descending);
    int order = Bytes.compareTo(token(tokenizer, a), token(tokenizer, b));
    assertThat(Integer.signum(order)).isEqualTo(order(a, b, descending));
  }

  private static boolean holds(ValuePredicate predicate, List<byte[]> row) {
    List<byte[]> leading = predicate instanceof Leading given ? given.values() : List.of();
    for (int i = 0; i < leading.size(); i++) {
      if (!Bytes.equals(leading.get(i), row.get(i))) {
        return false;
      }
    }
    ValuePredicate next = predicate instanceof Leading given ? given.next() : predicate;
    byte[] value = row.get(leading.size());
    // Numbers are compared with the sign in front.
    return leading.size() == 1
        ? next.map(ValueType.LONG::ordered).test(ValueType.LONG.ordered(value))
        : next.test(value);
  }

  @Property(tries = 20_000)
  void theRangeOfAConditionHasTheTokensOfWhatMatches(
      @ForAll("predicates") ValuePredicate predicate,
      @ForAll("rows") List<byte[]> row,
      @ForAll("directions") List<Boolean> descending) {
    Tokenizer tokenizer = tokenizer(descending);
    boolean holds = holds(predicate, row);
    assertThat(tokenizer.matches(predicate, Tuple.of(row))).isEqualTo(holds);
    assertThat(tokenizer.range(predicate).contains(token(tokenizer, row))).isEqualTo(holds);
    assertThat(tokenizer.rangeDecides()).isTrue();
  }

  @Property
  void tuplesComeBack(@ForAll("rows") List<byte[]> row) {
    assertThat(Tuple.values(Tuple.of(row))).usingElementComparator(Bytes::compareTo).isEqualTo(row);
  }

  @Example
  void equalityOnAllColumnsIsOneToken() {
    for (boolean last : new boolean[] {true, false}) {
      Tokenizer tokenizer = tokenizer(List.of(false, true, last));
      List<byte[]> row = List.of(new byte[] {1}, Bytes.toBytes(7L), new byte[] {2});
      TokenRange range = tokenizer.range(new Leading(row.subList(0, 2), new EqualTo(row.get(2))));
      assertThat(range.isSingle()).isTrue();
      assertThat(range.first()).isEqualTo(token(tokenizer, row));
    }
  }

  @Example
  void whatIsNoConditionOrValueOfTheColumnsIsRefused() {
    Tokenizer tokenizer = tokenizer(List.of(false, false, false));
    byte[] number = Bytes.toBytes(1L);
    assertThatThrownBy(
            () ->
                tokenizer.range(new Leading(List.of(number, number, number), new EqualTo(number))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("3 leading values", "3");
    assertThatThrownBy(
            () -> tokenizer.range(new Leading(List.of(number), new Prefix(new byte[] {1}))))
        .hasMessageContaining("prefix query needs an index on BYTES");
    assertThatThrownBy(() -> tokenizer.tokens(Tuple.of(List.of(number, new byte[3], number))))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("LONG");
    assertThatThrownBy(() -> tokenizer.tokens(new byte[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                Tokenizers.of(IndexDefinition.on("i", Column.parse("f:a")))
                    .range(new Leading(List.of(number), new EqualTo(number))))
        .hasMessageContaining("index on several columns");
  }

  @Example
  void tokenizersOfSeveralTokensAreRefused() {
    IndexDefinition joined = IndexDefinition.on("i", COLUMNS);
    assertThatThrownBy(() -> Tokenizers.of(joined.withTokenizer("prefix")))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContainingAll("'i'", "'prefix'", "Use 'exact'");
    assertThatThrownBy(() -> Tokenizers.of(joined.withType(ValueType.POINT)))
        .hasMessageContainingAll("'i'", "POINT", "one column");
  }
}
