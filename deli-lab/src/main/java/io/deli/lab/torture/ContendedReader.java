package io.deli.lab.torture;

import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.QueryCondition.Between;
import io.deli.lab.judge.QueryCondition.Both;
import io.deli.lab.judge.QueryCondition.Either;
import io.deli.lab.judge.QueryCondition.Prefix;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.RowQuery.Page;
import io.deli.lab.judge.RowQuery.Position;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.QuerySource.HitOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;

/**
 * One thread that reads {@link ContendedRows}, by key and by value, and enters into the history
 * what it was told and when.
 *
 * @param byKey whether the hits of one value come by row key, so that it is known what a page is
 *     about
 */
public record ContendedReader(
    Table table,
    QuerySource source,
    boolean byKey,
    ContendedRows rows,
    CallLog log,
    Random random) {
  private static final List<Column> COLUMNS =
      List.of(ContendedRows.A, ContendedRows.B, ContendedRows.N, ContendedRows.S);
  private static final String A = ContendedRows.A.toString();
  private static final String B = ContendedRows.B.toString();
  private static final List<HitOrder> ORDERS = List.of(HitOrder.values());
  private static final int PAGE = 3;

  /** Of so many queries, one is about hot rows if there are others. */
  private static final int HOT_EVERY = 5;

  private static final int LONGEST_PAUSE_MILLIS = 20;
  private static final QueryCondition RANGE = new Between(A, ContendedRows.LOW, ContendedRows.HIGH);
  private static final QueryCondition SIDE = QueryCondition.equal(B, ContendedRows.SIDE);

  /** Makes one read; returns whether it was answered. */
  public boolean step() throws InterruptedException {
    // Each write of a hot row leaves an entry that a query about such rows has to look into.
    QueryCondition condition = rows.hasWide() && random.nextInt(HOT_EVERY) > 0 ? wide() : hot();
    try {
      switch (random.nextInt(24)) {
        case 0, 1, 2, 3, 4, 5 -> get(table, rows.any(random).row(), 1, log);
        case 6 -> mostRecent();
        case 7, 8 -> pages();
        case 9, 10, 11 -> scan(condition, LONGEST_PAUSE_MILLIS);
        default -> scan(condition, 0);
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private QueryCondition hot() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> QueryCondition.equal(A, ContendedRows.SAME);
      case 2 -> QueryCondition.equal(A, ContendedRows.value(random));
      case 3 -> new Either(QueryCondition.equal(A, "m1"), SIDE);
      case 4 -> new Either(RANGE, SIDE);
      case 5 -> new Both(RANGE, SIDE);
      case 6 -> new Prefix(A, ContendedRows.value(random));
      default -> RANGE;
    };
  }

  /** About rows with values by the thousand. */
  private QueryCondition wide() {
    String value = ContendedRows.wideValue(random);
    String side = ContendedRows.wideSide(random);
    String stem = value.substring(0, value.length() - 1);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> QueryCondition.equal(A, value);
      case 3 -> QueryCondition.equal(B, side);
      case 4 -> new Prefix(A, stem);
      case 5 -> new Either(QueryCondition.equal(A, value), QueryCondition.equal(B, side));
      case 6 -> new Both(new Prefix(A, stem), new Prefix(B, side.substring(0, 3)));
      default -> new Between(A, value, stem + "~");
    };
  }

  /** Reads a row by its key and enters the newest value of each column. */
  static Result get(Table table, String row, int versions, CallLog log) throws IOException {
    CallLog.Call entry = log.begin(List.of());
    Result result = entry.run(1, () -> table.get(get(row, versions)));
    entry.returned(List.of(RowOperation.get(row, entry.untilNow(), seen(result))));
    return result;
  }

  static Get get(String row, int versions) throws IOException {
    Get get = new Get(Bytes.toBytes(row)).readVersions(versions);
    COLUMNS.forEach(column -> get.addColumn(column.family(), column.qualifier()));
    return get;
  }

  static Map<String, Optional<String>> seen(Result result) {
    Map<String, Optional<String>> seen = new TreeMap<>();
    COLUMNS.forEach(column -> seen.put(column.toString(), text(result, column)));
    return seen;
  }

  /** The newest value of a column, as the history has it. */
  static Optional<String> text(Result result, Column column) {
    return Optional.ofNullable(result.getValue(column.family(), column.qualifier()))
        .map(v -> column.equals(ContendedRows.N) ? "" + Bytes.toLong(v) : Bytes.toString(v));
  }

  /** Reads to the end in any order, with pauses of up to so long between hits. */
  private void scan(QueryCondition condition, int pauseMillis) throws IOException {
    // Only forward does a pause between hits come between reads, too.
    HitOrder order =
        random.nextBoolean() ? HitOrder.FORWARD : ORDERS.get(random.nextInt(ORDERS.size()));
    List<Hit> hits = new ArrayList<>();
    CallLog.Call entry = log.begin(List.of());
    entry.run(
        1,
        () -> {
          source.query(
              condition,
              order,
              hit -> {
                hits.add(hit);
                if (pauseMillis > 0) {
                  Threads.sleep(random.nextInt(pauseMillis));
                }
              });
          return hits;
        });
    String how = order + (pauseMillis > 0 ? " scanner with pauses" : " scanner");
    entry.answered(new RowQuery(how, condition, hits, entry.untilNow(), Optional.empty()));
  }

  /** Reads the most recent matches; the history knows only that they match, not their times. */
  private void mostRecent() throws IOException {
    boolean wide = rows.hasWide() && random.nextBoolean();
    String value = wide ? ContendedRows.wideValue(random) : ContendedRows.value(random);
    QueryCondition condition = QueryCondition.equal(A, value);
    CallLog.Call entry = log.begin(List.of());
    ValueQuery query = QuerySource.query(condition).mostRecent(PAGE);
    Optional<ValuePage> page = entry.run(1, () -> source.page(query));
    Span span = entry.untilNow();
    if (page.isPresent()) {
      entry.answered(
          new RowQuery(
              "most recent", condition, hits(page.get()), span, Optional.of(Page.UNKNOWN)));
    }
  }

  private static List<Hit> hits(ValuePage page) {
    return page.hits().stream().map(QuerySource::hit).toList();
  }

  /**
   * One page after the other, with pauses between them: each is a query of its own. Where rows move
   * meanwhile, the last hit does not tell how far a page went, so that no row can be missed of it.
   */
  private void pages() throws IOException, InterruptedException {
    boolean equal = random.nextBoolean();
    QueryCondition condition = equal ? QueryCondition.equal(A, ContendedRows.SAME) : RANGE;
    ValueQuery query = QuerySource.query(condition).limit(PAGE);
    Optional<ValueQuery> next = Optional.of(query);
    Optional<Position> after = Optional.empty();
    while (next.isPresent()) {
      CallLog.Call entry = log.begin(List.of());
      ValueQuery asked = next.get();
      Optional<ValuePage> page = entry.run(1, () -> source.page(asked));
      Span span = entry.untilNow();
      List<Hit> hits = page.map(ContendedReader::hits).orElse(List.of());
      next = page.flatMap(ValuePage::continuation).map(query::from);
      Optional<Position> last = hits.stream().reduce((one, other) -> other).map(Hit::position);
      boolean known = equal && byKey && (next.isEmpty() || last.isPresent());
      Page part = known ? new Page(after, next.flatMap(n -> last)) : Page.UNKNOWN;
      if (page.isPresent()) {
        entry.answered(new RowQuery("page", condition, hits, span, Optional.of(part)));
      }
      if (last.isEmpty()) {
        return;
      }
      after = last;
      Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
    }
  }
}
