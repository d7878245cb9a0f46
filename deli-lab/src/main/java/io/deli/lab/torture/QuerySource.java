package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.RowQuery.Hit;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/** Answers queries by value on {@link ContendedRows}: DELI, or what a test puts in its place. */
public interface QuerySource {
  /** Hits one by one; closed when done. */
  interface Hits extends AutoCloseable {
    /** The next hit, taken now; none at the end. */
    Optional<Hit> next() throws IOException;

    @Override
    void close();
  }

  Hits open(QueryCondition condition) throws IOException;

  static QuerySource of(DeliTable table) {
    return condition -> {
      ValueScanner scanner = table.readValue(query(condition));
      return new Hits() {
        @Override
        public Optional<Hit> next() throws IOException {
          return scanner.next().map(QuerySource::hit);
        }

        @Override
        public void close() {
          scanner.close();
        }
      };
    };
  }

  static Function<ValueQuery, ValuePage> pages(AsyncDeliTable table) throws IOException {
    return query -> {
      try {
        return FutureUtils.get(table.readValue(query));
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
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
