package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowQuery.Hit;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/** Answers queries by value on {@link ContendedRows}: DELI, or what a test puts in its place. */
@FunctionalInterface
public interface QuerySource {
  /** The order in which a query gives all its hits. */
  enum HitOrder {
    FORWARD,
    REVERSED,
    NEWEST_FIRST;

    /** More than rows satisfy a condition. */
    private static final int ALL = 1_000_000;

    private ValueQuery of(ValueQuery query) {
      return switch (this) {
        case FORWARD -> query;
        case REVERSED -> query.reversed();
        case NEWEST_FIRST -> query.mostRecent(ALL);
      };
    }
  }

  /** Gives hits one by one, each when it is taken. */
  void query(QueryCondition condition, HitOrder order, Consumer<Hit> taken) throws IOException;

  /** One page of a query with a limit; none if this has no pages. */
  default Optional<ValuePage> page(ValueQuery query) throws IOException {
    return Optional.empty();
  }

  static QuerySource of(DeliConnection connection, TableName name) throws IOException {
    DeliTable table = connection.getTable(name);
    AsyncDeliTable async = connection.getAsyncTable(name);
    return new QuerySource() {
      @Override
      public void query(QueryCondition condition, HitOrder order, Consumer<Hit> taken)
          throws IOException {
        try (ValueScanner scanner = table.readValue(order.of(QuerySource.query(condition)))) {
          // Its iterator would hide what kind of failure it was.
          for (Optional<ValueHit> next = scanner.next(); next.isPresent(); next = scanner.next()) {
            taken.accept(hit(next.get()));
          }
        }
      }

      @Override
      public Optional<ValuePage> page(ValueQuery query) throws IOException {
        return Optional.of(FutureUtils.get(async.readValue(query)));
      }
    };
  }

  static Hit hit(ValueHit hit) {
    return new Hit(Bytes.toString(hit.row()), Bytes.toString(hit.value()), System.nanoTime());
  }

  static ValueQuery query(QueryCondition condition) {
    if (condition instanceof QueryCondition.Both both) {
      return query(both.one()).and(query(both.other()));
    } else if (condition instanceof QueryCondition.Either either) {
      return query(either.one()).or(query(either.other()));
    } else if (condition instanceof QueryCondition.Prefix prefix) {
      return on(prefix.column()).prefix(Bytes.toBytes(prefix.prefix()));
    }
    QueryCondition.Between between = (QueryCondition.Between) condition;
    byte[] low = Bytes.toBytes(between.low());
    return between.low().equals(between.high())
        ? on(between.column()).equalTo(low)
        : on(between.column()).between(low, Bytes.toBytes(between.high()));
  }

  private static ValueQuery.Target on(String column) {
    return ValueQuery.on(
        column.equals(ContendedRows.A.toString()) ? ContendedRows.BY_A : ContendedRows.BY_B);
  }
}
