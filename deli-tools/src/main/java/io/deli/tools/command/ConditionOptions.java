package io.deli.tools.command;

import io.deli.client.ValueQuery;
import io.deli.tools.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options for the values that {@code deli query} looks for. */
final class ConditionOptions {
  /** Tells a person how to write values; the escapes of files are those of {@link InputOptions}. */
  static final String ESCAPES =
      "In values of STRING and BYTES, \\xNN is a byte, as in \\x00; all else stands for itself.";

  /** Of an index, or the column of a partial index's condition. */
  private static final Pattern FURTHER =
      Pattern.compile("([A-Za-z0-9_-]+|[^:^<>=]+:[^^<>=]*)(\\^=|<=|>=|=|<|>)(.*)");

  private static final Map<String, BiFunction<ValueQuery.Target, byte[], ValueQuery>> OPERATORS =
      Map.of(
          "=", ValueQuery.Target::equalTo,
          "^=", ValueQuery.Target::prefix,
          "<", ValueQuery.Target::lessThan,
          "<=", ValueQuery.Target::atMost,
          ">", ValueQuery.Target::greaterThan,
          ">=", ValueQuery.Target::atLeast);

  @Option(names = "--equal", paramLabel = "VALUE", description = "Values equal to this.")
  private String equal;

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Values that begin with this.")
  private String prefix;

  @Option(names = "--from", paramLabel = "VALUE", description = "Values from this on, included.")
  private String from;

  @Option(names = "--after", paramLabel = "VALUE", description = "Values greater than this.")
  private String after;

  @Option(names = "--to", paramLabel = "VALUE", description = "Values up to this, included.")
  private String to;

  @Option(names = "--before", paramLabel = "VALUE", description = "Values less than this.")
  private String before;

  @Option(
      names = "--leading",
      paramLabel = "VALUE",
      description =
          "Of an index on several columns, the value of the first, and again of the next; the other"
              + " options are on the column behind.")
  private List<String> leading = List.of();

  @ArgGroup(exclusive = true, multiplicity = "0..*")
  private List<Further> further = new ArrayList<>();

  /** One more condition; a list of them keeps the order of the command line. */
  static final class Further {
    @Option(
        names = "--and",
        paramLabel = "CONDITION",
        description = "Rows that also satisfy this condition, as in by_altitude>=4000.")
    private String and;

    @Option(
        names = "--or",
        paramLabel = "CONDITION",
        description = "Also rows that satisfy this condition.")
    private String or;
  }

  /** Refuses what cannot be a query, before anything is asked of HBase. */
  void check() {
    Failure.ifBoth("--equal", equal, "--prefix", prefix);
    Failure.ifBoth("--from", from, "--after", after);
    Failure.ifBoth("--to", to, "--before", before);
    String bound =
        from != null ? "--from" : after != null ? "--after" : to != null ? "--to" : "--before";
    boolean bounded = low() != null || high() != null;
    Failure.ifBoth("--equal", equal, bound, bounded);
    Failure.ifBoth("--prefix", prefix, bound, bounded);
    if (equal == null && prefix == null && !bounded) {
      throw Failure.usage(
          "which values? Give --equal, or --prefix, or bounds with --from or --after, --to or"
              + " --before");
    }
    further.forEach(ConditionOptions::matcher);
  }

  /** The condition as a query, its operands in the encodings of the indexes. */
  ValueQuery query(String index, QueryIndexes indexes) {
    ValueQuery query = first(index, indexes);
    for (Further more : further) {
      Matcher parts = matcher(more);
      ValueQuery other =
          OPERATORS
              .get(parts.group(2))
              .apply(ValueQuery.on(parts.group(1)), indexes.encode(parts.group(1), parts.group(3)));
      query = more.and != null ? query.and(other) : query.or(other);
    }
    return query;
  }

  private ValueQuery first(String index, QueryIndexes indexes) {
    ValueQuery.Target target = ValueQuery.on(index);
    int column = leading.size();
    for (int i = 0; i < column; i++) {
      target = target.leading(indexes.encode(index, i, leading.get(i)));
    }
    if (equal != null) {
      return target.equalTo(indexes.encode(index, column, equal));
    }
    if (prefix != null) {
      return target.prefix(indexes.encode(index, column, prefix));
    }
    byte[] low = low() == null ? null : indexes.encode(index, column, low());
    byte[] high = high() == null ? null : indexes.encode(index, column, high());
    if (low != null && high != null) {
      return target.between(low, after == null, high, before == null);
    }
    if (low != null) {
      return after == null ? target.atLeast(low) : target.greaterThan(low);
    }
    return before == null ? target.atMost(high) : target.lessThan(high);
  }

  private String low() {
    return from != null ? from : after;
  }

  private String high() {
    return to != null ? to : before;
  }

  private static Matcher matcher(Further more) {
    String text = more.and != null ? more.and : more.or;
    Matcher matcher = FURTHER.matcher(text);
    if (!matcher.matches()) {
      throw Failure.usage(
          "'%s' is no condition: write INDEX=VALUE, or ^= for a prefix, or <, <=, >, >="
              .formatted(text));
    }
    return matcher;
  }
}
