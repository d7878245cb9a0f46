package io.deli.token.internal;

import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import io.deli.token.Tokenizer;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** One token per number, so that the order of tokens is the order of numbers. */
public record TypedTokenizer(ValueType type) implements Tokenizer {
  @Override
  public List<byte[]> tokens(byte[] value) {
    return List.of(type.ordered(value));
  }

  @Override
  public TokenRange range(ValuePredicate predicate) {
    ValuePredicate tokens = toTokens(predicate);
    return type == ValueType.DECIMAL ? inclusive(tokens).range() : tokens.range();
  }

  @Override
  public boolean rangeDecides() {
    return type != ValueType.DECIMAL;
  }

  @Override
  public boolean matches(ValuePredicate predicate, byte[] value) {
    if (type == ValueType.DECIMAL) {
      return matchesDecimal(predicate, ValueType.decimal(value));
    }
    return toTokens(predicate).test(type.ordered(value));
  }

  private ValuePredicate toTokens(ValuePredicate predicate) {
    if (predicate instanceof Prefix) {
      throw noPrefix();
    }
    return predicate.map(type::ordered);
  }

  private IllegalArgumentException noPrefix() {
    return new IllegalArgumentException(
        "a prefix query needs an index on BYTES or STRING; this one holds " + type);
  }

  /** Tokens keep 31 digits: a number just inside an open bound may share the bound's token. */
  private static ValuePredicate inclusive(ValuePredicate predicate) {
    return predicate instanceof Between between
        ? new Between(closed(between.low()), closed(between.high()))
        : predicate;
  }

  private static Optional<Bound> closed(Optional<Bound> bound) {
    return bound.map(b -> new Bound(b.value(), true));
  }

  private boolean matchesDecimal(ValuePredicate predicate, BigDecimal value) {
    if (predicate instanceof EqualTo equal) {
      return value.compareTo(ValueType.decimal(equal.value())) == 0;
    }
    if (predicate instanceof Between between) {
      return between.low().map(b -> above(value, b)).orElse(true)
          && between.high().map(b -> below(value, b)).orElse(true);
    }
    throw noPrefix();
  }

  private static boolean above(BigDecimal value, Bound bound) {
    int order = value.compareTo(ValueType.decimal(bound.value()));
    return order > 0 || (order == 0 && bound.inclusive());
  }

  private static boolean below(BigDecimal value, Bound bound) {
    int order = value.compareTo(ValueType.decimal(bound.value()));
    return order < 0 || (order == 0 && bound.inclusive());
  }
}
