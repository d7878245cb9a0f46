package io.deli.token.internal;

import io.deli.entry.TokenEncoding;
import io.deli.query.TokenRange;
import io.deli.query.Tuple;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Leading;
import io.deli.token.Tokenizer;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One token for the values of several columns, in the order of the first, then of the next: the
 * tokens of the columns, one behind the other.
 *
 * <p>All but the last are encoded so that they end themselves, hence none is the beginning of
 * another, and what follows does not change their order. A descending one is encoded so, wherever
 * it stands, and its bits are inverted.
 *
 * <p>A condition is one on the first column, or one of equality on leading columns and any on the
 * next.
 */
public final class TupleTokenizer implements Tokenizer {
  private final List<Part> parts;

  /**
   * A column.
   *
   * @param tokenizer gives each value one token
   */
  public record Part(Tokenizer tokenizer, boolean descending) {}

  public TupleTokenizer(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  @Override
  public List<byte[]> tokens(byte[] value) {
    return List.of(joined(Tuple.values(value), parts.size()));
  }

  /** The tokens of the first values. */
  private byte[] joined(List<byte[]> values, int count) {
    if (values.size() < count) {
      throw new IllegalArgumentException(
          "%d values, for an index on %d columns".formatted(values.size(), parts.size()));
    }
    byte[] joined = new byte[0];
    for (int i = 0; i < count; i++) {
      joined = Bytes.add(joined, encoded(i, parts.get(i).tokenizer().tokens(values.get(i)).get(0)));
    }
    return joined;
  }

  private byte[] encoded(int part, byte[] token) {
    if (parts.get(part).descending()) {
      byte[] inverted = TokenEncoding.encode(token);
      for (int i = 0; i < inverted.length; i++) {
        inverted[i] = (byte) ~inverted[i];
      }
      return inverted;
    }
    return isLast(part) ? token : TokenEncoding.encode(token);
  }

  private boolean isLast(int part) {
    return part == parts.size() - 1;
  }

  @Override
  public TokenRange range(ValuePredicate predicate) {
    List<byte[]> leading = leading(predicate);
    int part = leading.size();
    byte[] before = joined(leading, part);
    ValuePredicate next = next(predicate);
    TokenRange range = parts.get(part).tokenizer().range(next);
    if (isLast(part) && next instanceof EqualTo) {
      return TokenRange.only(Bytes.add(before, encoded(part, range.first())));
    }
    Optional<byte[]> first = Optional.of(Bytes.add(before, encoded(part, range.first())));
    Optional<byte[]> end = range.end().map(token -> Bytes.add(before, encoded(part, token)));
    if (parts.get(part).descending()) {
      // What is less in value is behind all that begins with the bound.
      return of(end.isEmpty() ? Optional.of(before) : behind(end), behind(first));
    }
    return of(first, end.isEmpty() ? TokenRange.behindPrefix(before) : end);
  }

  private static Optional<byte[]> behind(Optional<byte[]> prefix) {
    return prefix.flatMap(TokenRange::behindPrefix);
  }

  /**
   * @param first empty if nothing is behind
   */
  private static TokenRange of(Optional<byte[]> first, Optional<byte[]> end) {
    return first
        .map(from -> TokenRange.of(from, end))
        .orElseGet(() -> TokenRange.of(new byte[0], Optional.of(new byte[0])));
  }

  private List<byte[]> leading(ValuePredicate predicate) {
    List<byte[]> leading = predicate instanceof Leading given ? given.values() : List.of();
    if (leading.size() >= parts.size()) {
      throw new IllegalArgumentException(
          "%d leading values leave no column of %d for the condition behind them"
              .formatted(leading.size(), parts.size()));
    }
    return leading;
  }

  private static ValuePredicate next(ValuePredicate predicate) {
    return predicate instanceof Leading given ? given.next() : predicate;
  }

  @Override
  public boolean rangeDecides() {
    return parts.stream().allMatch(part -> part.tokenizer().rangeDecides());
  }

  @Override
  public boolean matches(ValuePredicate predicate, byte[] value) {
    List<byte[]> values = Tuple.values(value);
    List<byte[]> leading = leading(predicate);
    for (int i = 0; i < leading.size(); i++) {
      if (!parts.get(i).tokenizer().matches(new EqualTo(leading.get(i)), values.get(i))) {
        return false;
      }
    }
    return parts
        .get(leading.size())
        .tokenizer()
        .matches(next(predicate), values.get(leading.size()));
  }
}
