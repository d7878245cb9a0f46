package io.deli.test.model;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.test.model.ModelIndex.Kind;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A condition on one index, as the test understands it.
 *
 * @param b upper bound, for {@link Op#BETWEEN} only
 */
record Term(
    ModelIndex index, Op op, byte[] a, boolean lowIncluded, byte[] b, boolean highIncluded) {
  /** What {@link ValueQuery.Target} offers. */
  enum Op {
    EQUAL,
    PREFIX,
    BETWEEN,
    AT_LEAST,
    GREATER,
    AT_MOST,
    LESS
  }

  ValueQuery query() {
    ValueQuery.Target on = ValueQuery.on(index.name());
    return switch (op) {
      case EQUAL -> on.equalTo(a);
      case PREFIX -> on.prefix(a);
      case BETWEEN ->
          lowIncluded && highIncluded
              ? on.between(a, b)
              : on.between(a, lowIncluded, b, highIncluded);
      case AT_LEAST -> on.atLeast(a);
      case GREATER -> on.greaterThan(a);
      case AT_MOST -> on.atMost(a);
      case LESS -> on.lessThan(a);
    };
  }

  Column column() {
    return index.column();
  }

  boolean matches(byte[] value) {
    return index.kind() == Kind.WORDS
        ? ModelIndex.words(value).stream().anyMatch(this::accepts)
        : accepts(value);
  }

  private boolean accepts(byte[] token) {
    if (op == Op.PREFIX) {
      return Bytes.startsWith(token, a);
    }
    int order = index.order().compare(token, a);
    return switch (op) {
      case EQUAL -> order == 0;
      case BETWEEN -> (lowIncluded ? order >= 0 : order > 0) && belowHigh(token);
      case AT_LEAST -> order >= 0;
      case GREATER -> order > 0;
      case AT_MOST -> order <= 0;
      default -> order < 0;
    };
  }

  private boolean belowHigh(byte[] token) {
    int order = index.order().compare(token, b);
    return highIncluded ? order <= 0 : order < 0;
  }

  /**
   * What a matching value is sorted by: its token that the scan meets first. All that match a
   * condition on prefixes have one and the same.
   */
  byte[] place(byte[] value, boolean reversed) {
    if (index.kind() == Kind.PREFIXES) {
      return new byte[0];
    }
    if (index.kind() != Kind.WORDS) {
      return value;
    }
    Comparator<byte[]> first = reversed ? Bytes.BYTES_COMPARATOR.reversed() : index.order();
    Optional<byte[]> word = ModelIndex.words(value).stream().filter(this::accepts).min(first);
    return word.orElseThrow();
  }

  @Override
  public String toString() {
    String low = Bytes.toStringBinary(a);
    return index
        + switch (op) {
          case EQUAL -> " = '" + low + "'";
          case PREFIX -> " starts with '" + low + "'";
          case BETWEEN ->
              " in "
                  + (lowIncluded ? "['" : "('")
                  + low
                  + "', '"
                  + Bytes.toStringBinary(b)
                  + (highIncluded ? "']" : "')");
          default -> " " + op + " '" + low + "'";
        };
  }
}
