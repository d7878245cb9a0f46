package io.deli.client.internal.read;

import io.deli.client.ValueQuery.Options;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.Condition.OnIndex;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.strategy.EntryCondition;
import io.deli.strategy.Index;
import io.deli.strategy.QueryKind;
import io.deli.strategy.Strategies;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Refuses queries that could not be answered correctly. */
final class QueryRules {
  private QueryRules() {}

  static void check(
      TableDescriptor table, List<Conjunction> conjunctions, Options options, long now) {
    boolean compound = conjunctions.size() > 1 || !conjunctions.get(0).others().isEmpty();
    refuseIf(
        compound && options.versions() > 1,
        () ->
            "versions(%d) with and/or: conditions on several columns see the newest versions only"
                .formatted(options.versions()));
    refuseIf(
        options.mostRecent().isPresent() && options.from().isPresent(),
        () -> "mostRecent(k) cannot resume from a continuation. Ask for a greater k.");
    refuseIf(
        options.mostRecent().isPresent() && options.reversed(),
        () -> "mostRecent(k) returns the newest first. Leave reversed() out.");
    refuseIf(
        options.mostRecent().isPresent() && !options.rows().areAll(),
        () -> "mostRecent(k) is of all rows. Leave rows(..) out.");
    for (Conjunction conjunction : conjunctions) {
      // The conditions on others than the index that leads are evaluated on the base row.
      Index leading = conjunction.index();
      unanswerable(leading, options).stream().findFirst().ifPresent(kind -> refuse(leading, kind));
      for (IndexCondition test : conjunction.tests()) {
        checkRetention(table, test.index(), options, now);
      }
    }
    for (Column column : options.projection()) {
      family(table, column, "project(" + column + ")");
    }
  }

  /**
   * Checks that conditions which must all hold imply those of their partial indexes, and name no
   * other columns.
   */
  static void checkPartial(List<IndexCondition> tests, List<OnIndex> stated) {
    for (IndexCondition test : tests) {
      test.index()
          .condition()
          .filter(condition -> !isImplied(condition, tests, stated))
          .ifPresent(
              condition -> {
                throw new IllegalArgumentException(
                    "index '%s' has only rows with %s, and the query asks for others, too. Add that condition (and(..), --and), or use another index."
                        .formatted(test.index().name(), condition));
              });
    }
    for (OnIndex each : stated) {
      refuseIf(
          tests.stream()
              .flatMap(test -> test.index().condition().stream())
              .noneMatch(condition -> isStated(condition, each)),
          () ->
              "%s: a column may only be asked for the value by which a partial index of the same query has its rows. Ask an index of the column instead."
                  .formatted(each));
    }
  }

  private static boolean isImplied(
      EntryCondition condition, List<IndexCondition> tests, List<OnIndex> stated) {
    return stated.stream().anyMatch(each -> isStated(condition, each))
        || tests.stream()
            .filter(test -> test.index().column().equals(condition.column()))
            .filter(test -> tellsBytes(test.index().definition()))
            .anyMatch(test -> isOfValue(condition, test.predicate()));
  }

  /**
   * Whether equality in an index is equality of bytes. Decimals have trailing zeros, points two
   * zeros, and there are many NaNs.
   */
  private static boolean tellsBytes(IndexDefinition definition) {
    return definition.tokenizer().equals(IndexDefinition.DEFAULT_TOKENIZER)
        && switch (definition.type()) {
          case BYTES, STRING, INT, LONG -> true;
          case FLOAT, DOUBLE, DECIMAL, POINT -> false;
        };
  }

  private static boolean isStated(EntryCondition condition, OnIndex stated) {
    return Column.parse(stated.index()).equals(condition.column())
        && isOfValue(condition, stated.predicate());
  }

  private static boolean isOfValue(EntryCondition condition, ValuePredicate predicate) {
    return predicate instanceof EqualTo equal && Arrays.equals(equal.value(), condition.value());
  }

  /** Whether the entries of an index are enough for a query with such options. */
  static boolean answers(Index index, Options options) {
    return unanswerable(index, options).isEmpty();
  }

  private static Set<QueryKind> unanswerable(Index index, Options options) {
    Set<QueryKind> asked = EnumSet.noneOf(QueryKind.class);
    if (options.versions() > 1) {
      asked.add(QueryKind.OLD_VERSIONS);
    }
    if (options.asOf().isPresent()) {
      asked.add(QueryKind.AS_OF);
    }
    asked.retainAll(index.unanswerable());
    return asked;
  }

  private static void refuse(Index index, QueryKind kind) {
    boolean byStrategy = index.strategy().unanswerable().contains(kind);
    throw new IllegalArgumentException(
        "%s: index '%s' %s does not keep %s. Use an index %s."
            .formatted(
                kind.method(),
                index.name(),
                byStrategy
                    ? "of strategy '%s'".formatted(index.strategy().name())
                    : index
                        .condition()
                        .map(condition -> "of rows with %s".formatted(condition))
                        .orElse("with option %s=1".formatted(IndexDefinition.VERSIONS)),
                kind.meaning(),
                byStrategy
                    ? "of one of the strategies " + Strategies.answering(kind)
                    : "without it"));
  }

  private static void checkRetention(
      TableDescriptor table, Index index, Options options, long now) {
    ColumnFamilyDescriptor family = family(table, index.column(), "index '" + index.name() + "'");
    refuseIf(
        family.isMobEnabled(),
        () ->
            "index '%s': the family '%s' stores values as MOB, which compactions do not see. Alter it back, compact the table, disable the index and rebuild it (deli disable-index, deli build)."
                .formatted(index.name(), family.getNameAsString()));
    int kept = family.getMaxVersions();
    refuseIf(
        options.versions() > kept,
        () ->
            "versions(%d): the family '%s' keeps %d version%s. Raise VERSIONS, or ask for at most %d."
                .formatted(
                    options.versions(),
                    family.getNameAsString(),
                    kept,
                    kept == 1 ? "" : "s",
                    kept));
    int ttl = family.getTimeToLive();
    if (ttl != HConstants.FOREVER && family.getMinVersions() == 0 && options.asOf().isPresent()) {
      long horizon = now - TimeUnit.SECONDS.toMillis(ttl);
      refuseIf(
          options.asOf().getAsLong() < horizon,
          () ->
              "asOf(%d): the family '%s' keeps versions for %d s, that is from %d on. Ask for a later time, or raise TTL."
                  .formatted(options.asOf().getAsLong(), family.getNameAsString(), ttl, horizon));
    }
  }

  private static ColumnFamilyDescriptor family(TableDescriptor table, Column column, String who) {
    ColumnFamilyDescriptor family = table.getColumnFamily(column.family());
    refuseIf(
        family == null,
        () ->
            "%s: table %s has no column family '%s'"
                .formatted(who, table.getTableName(), Bytes.toStringBinary(column.family())));
    return family;
  }

  private static void refuseIf(boolean wrong, Supplier<String> message) {
    if (wrong) {
      throw new IllegalArgumentException(message.get());
    }
  }
}
