package io.deli.lab.torture;

import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.lab.judge.CallHistory;
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
  private final CallHistory history;
  private final Random random;

  /**
   * @param table for Gets
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
      CallHistory history,
      Random random) {
    this.table = table;
    this.source = source;
    this.pages = pages;
    this.byKey = byKey;
    this.rows = rows;
    this.history = history;
    this.random = random;
  }

  /** Makes one read; returns whether it was answered. */
  public boolean step() throws InterruptedException {
    try {
      switch (random.nextInt(8)) {
        case 0, 1 -> get(table, rows.any(random).row(), 1, history);
        case 2 -> byPages();
        case 3 -> scan(condition(), LONGEST_PAUSE_MILLIS);
        default -> scan(condition(), 0);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private QueryCondition condition() {
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

  /** Reads a row by its key and enters the newest value of each column. */
  static Result get(Table table, String row, int versions, CallHistory history) throws IOException {
    Get get = new Get(Bytes.toBytes(row)).readVersions(versions);
    COLUMNS.forEach(column -> get.addColumn(column.family(), column.qualifier()));
    long begun = System.nanoTime();
    Result result = table.get(get);
    Span span = new Span(begun, System.nanoTime());
    Map<String, Optional<String>> seen = new TreeMap<>();
    COLUMNS.forEach(column -> seen.put(column.toString(), text(result, column)));
    history.add(RowOperation.get(row, span, seen));
    return result;
  }

  /** The newest value of a column, as the history has it. */
  static Optional<String> text(Result result, Column column) {
    return Optional.ofNullable(result.getValue(column.family(), column.qualifier()))
        .map(v -> column.equals(ContendedRows.N) ? "" + Bytes.toLong(v) : Bytes.toString(v));
  }

  /** Reads to the end, with pauses of up to so long between hits. */
  private void scan(QueryCondition condition, int pauseMillis)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    List<Hit> hits = new ArrayList<>();
    try (QuerySource.Hits scanner = source.open(condition)) {
      Optional<Hit> hit = scanner.next();
      while (hit.isPresent()) {
        hits.add(hit.get());
        if (pauseMillis > 0) {
          Thread.sleep(random.nextInt(pauseMillis));
        }
        hit = scanner.next();
      }
    }
    Span span = new Span(begun, System.nanoTime());
    String how = pauseMillis > 0 ? "scanner with pauses" : "scanner";
    history.add(new RowQuery(how, condition, hits, span, Optional.empty()));
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
      long begun = System.nanoTime();
      ValuePage page = pages.get().apply(next.get());
      Span span = new Span(begun, System.nanoTime());
      List<Hit> hits = page.hits().stream().map(QuerySource::hit).toList();
      next = page.continuation().map(query::from);
      Optional<Position> last = hits.stream().reduce((one, other) -> other).map(Hit::position);
      boolean known = equal && byKey && (next.isEmpty() || last.isPresent());
      Page part = known ? new Page(after, next.flatMap(n -> last)) : Page.UNKNOWN;
      history.add(new RowQuery("page", condition, hits, span, Optional.of(part)));
      if (!last.isPresent()) {
        return;
      }
      after = last;
      Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
    }
  }
}
