package io.deli.client;

import io.deli.index.Column;
import io.deli.query.Condition;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Leading;
import io.deli.query.ValuePredicate.Prefix;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A query by value: the paper's ReadValue(v, ts, m, p). Immutable; every method returns a changed
 * copy.
 *
 * <pre>{@code
 * ValueQuery.on("by_user").equalTo(user).limit(20).project(Column.parse("d:text"))
 * }</pre>
 *
 * <p>Operands are in the encoding of the indexed column; of several, a condition is on the first,
 * or behind {@link Target#leading leading} values. By default the query sees the newest version of
 * each row. Options belong to the whole query: set them after combining.
 *
 * <p>Hits come in the order of the index that is scanned: by token, and the hits of one token by
 * row key, then newest first ({@code BY_KEY}), or newest first, then by row key ({@code BY_TIME},
 * and strategies that keep lists). The token is the value itself, or its number, unless the index
 * has a tokenizer of another kind; a value of several tokens comes at the first that the condition
 * covers. A query on {@code or} gives the hits of its first condition, then those of the next;
 * conditions without an index table are the last, together, by row key. Rows that change while they
 * are read may come out of order; {@link ValueScanner} says what holds then.
 */
public final class ValueQuery {
  private final Condition condition;
  private final Options options;

  private ValueQuery(Condition condition, Options options) {
    this.condition = condition;
    this.options = options;
  }

  /**
   * A range of base row keys.
   *
   * @param from inclusive; empty for the table's first
   * @param before exclusive; empty for the table's end
   */
  public record Rows(byte[] from, byte[] before) {
    private static final Rows ALL = new Rows(new byte[0], new byte[0]);

    public boolean areAll() {
      return from.length == 0 && before.length == 0;
    }

    @Override
    public String toString() {
      return "[" + Bytes.toStringBinary(from) + ", " + Bytes.toStringBinary(before) + ")";
    }
  }

  /** The options of a query, besides its condition. */
  public record Options(
      boolean reversed,
      OptionalLong asOf,
      int versions,
      OptionalInt limit,
      OptionalInt mostRecent,
      Optional<Continuation> from,
      List<Column> projection,
      boolean scanAllowed,
      Rows rows) {
    private static final Options DEFAULT =
        new Options(
            false,
            OptionalLong.empty(),
            1,
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            List.of(),
            false,
            Rows.ALL);
  }

  /** A mutable copy of options, while one of them changes. */
  private static final class Draft {
    private boolean reversed;
    private OptionalLong asOf;
    private int versions;
    private OptionalInt limit;
    private OptionalInt mostRecent;
    private Optional<Continuation> from;
    private List<Column> projection;
    private boolean scanAllowed;
    private Rows rows;

    private Draft(Options options) {
      reversed = options.reversed;
      asOf = options.asOf;
      versions = options.versions;
      limit = options.limit;
      mostRecent = options.mostRecent;
      from = options.from;
      projection = options.projection;
      scanAllowed = options.scanAllowed;
      rows = options.rows;
    }

    private Options done() {
      return new Options(
          reversed, asOf, versions, limit, mostRecent, from, projection, scanAllowed, rows);
    }
  }

  /**
   * Begins a query on the index of that name. A partial index takes part where the query says its
   * condition, too: {@code on("open_by_user").equalTo(user).and(on("d:state").equalTo(open))}, or
   * by an index on that column. Columns can be named for nothing else.
   */
  public static Target on(String index) {
    return new Target(Objects.requireNonNull(index, "index"), List.of());
  }

  /** An index that awaits its condition. */
  public static final class Target {
    private final String index;
    private final List<byte[]> leading;

    private Target(String index, List<byte[]> leading) {
      this.index = index;
      this.leading = leading;
    }

    /**
     * Asks an index on several columns for rows whose first columns have these values; the
     * condition that follows is on the next column.
     */
    public Target leading(byte[]... values) {
      return new Target(
          index, Stream.concat(leading.stream(), Stream.of(values).map(byte[]::clone)).toList());
    }

    public ValueQuery equalTo(byte[] value) {
      return matching(new EqualTo(value.clone()));
    }

    public ValueQuery prefix(byte[] prefix) {
      return matching(new Prefix(prefix.clone()));
    }

    /** From {@code low} to {@code high}, both included. */
    public ValueQuery between(byte[] low, byte[] high) {
      return between(low, true, high, true);
    }

    public ValueQuery between(
        byte[] low, boolean lowInclusive, byte[] high, boolean highInclusive) {
      return matching(new Between(bound(low, lowInclusive), bound(high, highInclusive)));
    }

    public ValueQuery atLeast(byte[] low) {
      return matching(new Between(bound(low, true), Optional.empty()));
    }

    public ValueQuery greaterThan(byte[] low) {
      return matching(new Between(bound(low, false), Optional.empty()));
    }

    public ValueQuery atMost(byte[] high) {
      return matching(new Between(Optional.empty(), bound(high, true)));
    }

    public ValueQuery lessThan(byte[] high) {
      return matching(new Between(Optional.empty(), bound(high, false)));
    }

    private static Optional<Bound> bound(byte[] value, boolean inclusive) {
      return Optional.of(new Bound(value.clone(), inclusive));
    }

    /**
     * Any condition, whose bytes must not be modified afterwards; one that has leading values of
     * its own goes without {@link #leading}.
     */
    public ValueQuery matching(ValuePredicate predicate) {
      ValuePredicate whole = leading.isEmpty() ? predicate : new Leading(leading, predicate);
      return new ValueQuery(new Condition.OnIndex(index, whole), Options.DEFAULT);
    }
  }

  /**
   * Selects the rows that satisfy both conditions. The first tells the order, values and timestamps
   * of hits, and is scanned, unless it is longer than a page and the other has few entries.
   */
  public ValueQuery and(ValueQuery other) {
    return combined(new Condition.And(condition, other.condition), other);
  }

  /** Selects the rows that satisfy at least one of the conditions, each once. */
  public ValueQuery or(ValueQuery other) {
    return combined(new Condition.Or(condition, other.condition), other);
  }

  private ValueQuery combined(Condition both, ValueQuery other) {
    if (!options.equals(Options.DEFAULT) || !other.options.equals(Options.DEFAULT)) {
      throw new IllegalArgumentException(
          "combine the conditions first; then set limit, versions and other options on the whole");
    }
    return new ValueQuery(both, Options.DEFAULT);
  }

  /** Reverses the order, within each scan of an {@code or}. */
  public ValueQuery reversed() {
    return with(draft -> draft.reversed = true);
  }

  /**
   * Reads as of a time, inclusive, in milliseconds: the versions that a Get with a time range
   * ending there sees. Versions that the family no longer retains are not seen; a time older than
   * its TTL is refused.
   */
  public ValueQuery asOf(long timestamp) {
    if (timestamp < 0) {
      throw new IllegalArgumentException("asOf(" + timestamp + "): must not be negative");
    }
    return with(draft -> draft.asOf = OptionalLong.of(timestamp));
  }

  /**
   * Considers the newest {@code m} versions of each row, each of which may be a hit. More than the
   * family's VERSIONS are refused, and more than one with {@code and} or {@code or}.
   */
  public ValueQuery versions(int m) {
    requirePositive("versions", m);
    return with(draft -> draft.versions = m);
  }

  /** At most {@code p} hits; the scanner's continuation tells where to go on. */
  public ValueQuery limit(int p) {
    requirePositive("limit", p);
    return with(draft -> draft.limit = OptionalInt.of(p));
  }

  /**
   * The {@code k} hits with the greatest timestamps, newest first, ties by row key. On a {@code
   * BY_TIME} index, or one that keeps lists, and one token this reads little more than k entries;
   * otherwise all entries of matches. Of base rows it reads little more than k where an index has a
   * table. Not to be reversed, nor to go on from a continuation.
   */
  public ValueQuery mostRecent(int k) {
    requirePositive("mostRecent", k);
    return with(draft -> draft.mostRecent = OptionalInt.of(k));
  }

  /** Continues where an earlier scanner of the same query stopped. */
  public ValueQuery from(Continuation continuation) {
    return with(draft -> draft.from = Optional.of(continuation));
  }

  /** Returns these columns of each hit's row with the hit. */
  public ValueQuery project(Column... columns) {
    return with(draft -> draft.projection = List.of(columns));
  }

  /**
   * Allows to read all of the base table where an index may not be read: while it is built, or
   * disabled. Region servers leave out what does not match. Hits of such an index come by row key,
   * then newest first; a continuation ends with the scan, once the index may be read.
   */
  public ValueQuery allowScan() {
    return with(draft -> draft.scanAllowed = true);
  }

  /**
   * Returns hits of a range of base row keys only, so that several readers can share a query: each
   * row is in one range, whatever its values are meanwhile. An index that has a table is read as by
   * the whole query even so, base rows only in the range. Not with {@link #mostRecent}.
   *
   * @param first inclusive; empty for the table's first
   * @param end exclusive; empty for the table's end
   */
  public ValueQuery rows(byte[] first, byte[] end) {
    if (end.length > 0 && Bytes.compareTo(first, end) >= 0) {
      throw new IllegalArgumentException(
          "no row key is in the range from '%s' to before '%s'"
              .formatted(Bytes.toStringBinary(first), Bytes.toStringBinary(end)));
    }
    return with(draft -> draft.rows = new Rows(first.clone(), end.clone()));
  }

  public Condition condition() {
    return condition;
  }

  public Options options() {
    return options;
  }

  private ValueQuery with(Consumer<Draft> change) {
    Draft draft = new Draft(options);
    change.accept(draft);
    return new ValueQuery(condition, draft.done());
  }

  private static void requirePositive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + "(" + value + "): must be at least 1");
    }
  }

  @Override
  public String toString() {
    return condition + " " + options;
  }
}
