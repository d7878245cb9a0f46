package io.deli.lab.torture;

import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.RowQuery.Hit;
import io.deli.lab.judge.RowQuery.Page;
import io.deli.lab.judge.RowQuery.Position;
import io.deli.lab.judge.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One thread that reads {@link ContendedRows}, by key and by value, and enters into the history
 * what it was told and when.
 */
public final class ContendedReader {
  private static final List<Column> COLUMNS =
      List.of(ContendedRows.A, ContendedRows.B, ContendedRows.N, ContendedRows.S);

  private static final int PAGE = 3;

  /** Of so many queries, one is about hot rows if there are others. */
  private static final int HOT_EVERY = 5;

  private static final int LONGEST_PAUSE_MILLIS = 20;

  private static final QueryCondition RANGE =
      new QueryCondition.Between(ContendedRows.A.toString(), ContendedRows.LOW, ContendedRows.HIGH);

  private static final QueryCondition SIDE =
      QueryCondition.equal(ContendedRows.B.toString(), ContendedRows.SIDE);

  private final Table table;
  private final QuerySource source;
  private final Optional<Function<ValueQuery, ValuePage>> pages;
  private final boolean byKey;
  private final ContendedRows rows;
  private final CallLog log;
  private final Random random;

  /**
   * @param pages of queries with a limit; none if they are not to be asked
   * @param byKey whether the hits of one value come by row key, so that it is known what a page is
   *     about
   */
  public ContendedReader(
      Table table,
      QuerySource source,
      Optional<Function<ValueQuery, ValuePage>> pages,
      boolean byKey,
      ContendedRows rows,
      CallLog log,
      Random random) {
    this.table = table;
    this.source = source;
    this.pages = pages;
    this.byKey = byKey;
    this.rows = rows;
    this.log = log;
    this.random = random;
  }

  /** Makes one read; returns whether it was answered. */
  public boolean step() throws InterruptedException {
    try {
      switch (random.nextInt(8)) {
        case 0, 1 -> get(table, rows.any(random).row(), 1, log);
        case 2 -> {
          if (random.nextInt(3) == 0) {
            mostRecent();
          } else {
            byPages();
          }
        }
        case 3 -> scan(condition(), LONGEST_PAUSE_MILLIS);
        default -> scan(condition(), 0);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private QueryCondition condition() {
    // Each write of a hot row leaves an entry that a query about such rows has to look into.
    return rows.hasWide() && random.nextInt(HOT_EVERY) > 0 ? wide() : hot();
  }

  private QueryCondition hot() {
    String a = ContendedRows.A.toString();
    return switch (random.nextInt(9)) {
      case 0, 1 -> QueryCondition.equal(a, ContendedRows.SAME);
      case 2 -> QueryCondition.equal(a, ContendedRows.value(random));
      case 3 -> new QueryCondition.Either(QueryCondition.equal(a, "m1"), SIDE);
      case 4 -> new QueryCondition.Either(RANGE, SIDE);
      case 5 -> new QueryCondition.Both(RANGE, SIDE);
      case 6 -> new QueryCondition.Prefix(a, ContendedRows.value(random));
      default -> RANGE;
    };
  }

  /** About rows with values by the thousand. */
  private QueryCondition wide() {
    String a = ContendedRows.A.toString();
    String b = ContendedRows.B.toString();
    String value = ContendedRows.wideValue(random);
    String side = ContendedRows.wideSide(random);
    String stem = value.substring(0, value.length() - 1);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> QueryCondition.equal(a, value);
      case 3 -> QueryCondition.equal(b, side);
      case 4 -> new QueryCondition.Prefix(a, stem);
      case 5 ->
          new QueryCondition.Either(QueryCondition.equal(a, value), QueryCondition.equal(b, side));
      case 6 ->
          new QueryCondition.Both(
              new QueryCondition.Prefix(a, stem),
              new QueryCondition.Prefix(b, side.substring(0, 3)));
      default -> new QueryCondition.Between(a, value, stem + "~");
    };
  }

  /** Reads a row by its key and enters the newest value of each column. */
  static Result get(Table table, String row, int versions, CallLog log) throws IOException {
    CallLog.Call entry = log.begin(List.of());
    try {
      Result result = table.get(get(row, versions));
      entry.returned(List.of(RowOperation.get(row, entry.untilNow(), seen(result))));
      return result;
    } catch (IOException | RuntimeException e) {
      entry.failed(1, e);
      throw e;
    }
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

  /** Reads to the end, with pauses of up to so long between hits. */
  private void scan(QueryCondition condition, int pauseMillis)
      throws IOException, InterruptedException {
    List<Hit> hits = new ArrayList<>();
    CallLog.Call entry = log.begin(List.of());
    try (QuerySource.Hits scanner = source.open(condition)) {
      Optional<Hit> hit = scanner.next();
      while (hit.isPresent()) {
        hits.add(hit.get());
        if (pauseMillis > 0) {
          Thread.sleep(random.nextInt(pauseMillis));
        }
        hit = scanner.next();
      }
    } catch (IOException | RuntimeException e) {
      entry.failed(1, e);
      throw e;
    }
    String how = pauseMillis > 0 ? "scanner with pauses" : "scanner";
    entry.answered(new RowQuery(how, condition, hits, entry.untilNow(), Optional.empty()));
  }

  /** Reads the most recent matches; the history knows only that they match, not their times. */
  private void mostRecent() {
    if (pages.isEmpty()) {
      return;
    }
    String a = ContendedRows.A.toString();
    QueryCondition condition =
        rows.hasWide() && random.nextBoolean()
            ? QueryCondition.equal(a, ContendedRows.wideValue(random))
            : QueryCondition.equal(a, ContendedRows.value(random));
    CallLog.Call entry = log.begin(List.of());
    ValuePage page = page(QuerySource.query(condition).mostRecent(PAGE), entry);
    Span span = entry.untilNow();
    List<Hit> hits = page.hits().stream().map(QuerySource::hit).toList();
    entry.answered(new RowQuery("most recent", condition, hits, span, Optional.of(Page.UNKNOWN)));
  }

  private ValuePage page(ValueQuery query, CallLog.Call entry) {
    try {
      return pages.orElseThrow().apply(query);
    } catch (RuntimeException e) {
      entry.failed(1, e);
      throw e;
    }
  }

  /**
   * One page after the other, with pauses between them: each is a query of its own. Where rows move
   * meanwhile, the last hit does not tell how far a page went, so that no row can be missed of it.
   */
  private void byPages() throws InterruptedException {
    if (pages.isEmpty()) {
      return;
    }
    boolean equal = random.nextBoolean();
    QueryCondition condition =
        equal ? QueryCondition.equal(ContendedRows.A.toString(), ContendedRows.SAME) : RANGE;
    ValueQuery query = QuerySource.query(condition).limit(PAGE);
    Optional<ValueQuery> next = Optional.of(query);
    Optional<Position> after = Optional.empty();
    while (next.isPresent()) {
      CallLog.Call entry = log.begin(List.of());
      ValuePage page = page(next.get(), entry);
      Span span = entry.untilNow();
      List<Hit> hits = page.hits().stream().map(QuerySource::hit).toList();
      next = page.continuation().map(query::from);
      Optional<Position> last = hits.stream().reduce((one, other) -> other).map(Hit::position);
      boolean known = equal && byKey && (next.isEmpty() || last.isPresent());
      Page part = known ? new Page(after, next.flatMap(n -> last)) : Page.UNKNOWN;
      entry.answered(new RowQuery("page", condition, hits, span, Optional.of(part)));
      if (!last.isPresent()) {
        return;
      }
      after = last;
      Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
    }
  }
}
