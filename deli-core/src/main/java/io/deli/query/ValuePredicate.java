package io.deli.query;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A condition on an indexed value. Operands are in the encoding of the column; a tokenizer maps
 * them to its tokens by {@link #map}. All comparisons are of unsigned bytes. Callers must not
 * change arrays they passed in or got.
 */
public sealed interface ValuePredicate {
  /** The tokens that satisfy the predicate, where tokens are compared as bytes. */
  TokenRange range();

  /** Returns the condition with every operand mapped. */
  ValuePredicate map(UnaryOperator<byte[]> mapping);

  /** Whether the bytes satisfy the predicate. */
  default boolean test(byte[] bytes) {
    return range().contains(bytes);
  }

  /** Equality. */
  record EqualTo(byte[] value) implements ValuePredicate {
    public EqualTo {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public TokenRange range() {
      return TokenRange.only(value);
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new EqualTo(mapping.apply(value));
    }

    @Override
    public String toString() {
      return "= " + Bytes.toStringBinary(value);
    }
  }

  /** Everything that begins with the given bytes. */
  record Prefix(byte[] prefix) implements ValuePredicate {
    public Prefix {
      Objects.requireNonNull(prefix, "prefix");
    }

    @Override
    public TokenRange range() {
      return TokenRange.startingWith(prefix);
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Prefix(mapping.apply(prefix));
    }

    @Override
    public String toString() {
      return "starts with " + Bytes.toStringBinary(prefix);
    }
  }

  /**
   * Equality on the first columns of an index on several, and a condition on the next.
   *
   * @param next none of this kind
   */
  record Leading(List<byte[]> values, ValuePredicate next) implements ValuePredicate {
    public Leading {
      values = List.copyOf(values);
      Objects.requireNonNull(next, "next");
    }

    @Override
    public TokenRange range() {
      throw new IllegalArgumentException(
          "leading values need an index on several columns; this one is on one");
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Leading(values.stream().map(mapping).toList(), next.map(mapping));
    }

    @Override
    public String toString() {
      return values.stream().map(Bytes::toStringBinary).collect(Collectors.joining(", ", "= ", ""))
          + ", then "
          + next;
    }
  }

  /** One end of an interval. */
  record Bound(byte[] value, boolean inclusive) {
    public Bound {
      Objects.requireNonNull(value, "value");
    }

    private Bound map(UnaryOperator<byte[]> mapping) {
      return new Bound(mapping.apply(value), inclusive);
    }
  }

  /** An interval; a missing bound means unbounded on that side. */
  record Between(Optional<Bound> low, Optional<Bound> high) implements ValuePredicate {
    @Override
    public TokenRange range() {
      byte[] first =
          low.map(b -> b.inclusive() ? b.value() : TokenRange.successor(b.value()))
              .orElseGet(() -> new byte[0]);
      return TokenRange.of(
          first, high.map(b -> b.inclusive() ? TokenRange.successor(b.value()) : b.value()));
    }

    @Override
    public ValuePredicate map(UnaryOperator<byte[]> mapping) {
      return new Between(low.map(b -> b.map(mapping)), high.map(b -> b.map(mapping)));
    }

    @Override
    public String toString() {
      return "in "
          + low.map(b -> (b.inclusive() ? "[" : "(") + Bytes.toStringBinary(b.value()))
              .orElse("(unbounded")
          + ", "
          + high.map(b -> Bytes.toStringBinary(b.value()) + (b.inclusive() ? "]" : ")"))
              .orElse("unbounded)");
    }
  }
}
