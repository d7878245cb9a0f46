package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.read.QueryEngine;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.test.cluster.MiniCluster;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A query that goes on later, elsewhere, while the tables have changed their shape. */
class ContinuationTest {
  private static final Column COLUMN = QueriedTable.column("c");
  private static final int ROWS = 60;
  private static final int TAKEN = 13;

  @Test
  void goesOnAcrossSplitsAndRestarts() throws Exception {
    QueriedTable table =
        QueriedTable.create(
            "goeson",
            family -> family,
            IndexDefinition.on("i", COLUMN),
            IndexDefinition.on("s", COLUMN).withOption(IndexDefinition.BUCKETS, "4"),
            IndexDefinition.on("n", COLUMN).withStrategy("none"));
    for (int i = 0; i < ROWS; i++) {
      table.write("r%02d".formatted(i), COLUMN, value(i % 6), 5);
    }
    List<ValueQuery> queries = queries();
    List<List<String>> whole = new ArrayList<>();
    List<List<String>> parts = new ArrayList<>();
    List<String> saved = new ArrayList<>();
    try (QueryEngine lookups = QueriedTable.lookups(10)) {
      for (ValueQuery query : queries) {
        whole.add(strings(table.read(lookups, query)));
        List<ValueHit> part = new ArrayList<>();
        saved.add(take(table, lookups, query, part));
        parts.add(strings(part));
      }
    }
    split(table.name(), Bytes.toBytes("r30"));
    byte[] middle = table.index("i").codec().startRow(TokenRange.only(value(3)));
    split(table.index("i").table(), middle);
    split(table.index("s").table(), table.index("s").codec().buckets().row(1, middle));

    try (AsyncConnection connection =
            ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get();
        QueryEngine lookups =
            QueriedTable.lookups(connection, MiniCluster.configuration(), InstantSource.system())) {
      for (int i = 0; i < queries.size(); i++) {
        ValueQuery rest = queries.get(i).from(Continuation.parse(saved.get(i)));
        List<String> all = new ArrayList<>(parts.get(i));
        all.addAll(strings(table.read(lookups, rest)));
        assertThat(all).hasSizeGreaterThan(ROWS / 2).isEqualTo(whole.get(i));
      }
    }
  }

  private static List<ValueQuery> queries() {
    ValueQuery up = ValueQuery.on("i").atLeast(value(1));
    ValueQuery down = up.reversed();
    ValueQuery either =
        ValueQuery.on("i").equalTo(value(4)).or(ValueQuery.on("i").lessThan(value(5)));
    ValueQuery together =
        ValueQuery.on("n").equalTo(value(4)).or(ValueQuery.on("n").lessThan(value(5)));
    ValueQuery mixed =
        ValueQuery.on("n").lessThan(value(5)).or(ValueQuery.on("i").equalTo(value(4)));
    ValueQuery salted = ValueQuery.on("s").atLeast(value(1));
    return List.of(
        up, down, salted, salted.reversed(), either, together, together.reversed(), mixed);
  }

  private static String take(
      QueriedTable table, QueryEngine lookups, ValueQuery query, List<ValueHit> into)
      throws Exception {
    try (ValueScanner scanner = table.open(lookups, query)) {
      var hits = scanner.iterator();
      for (int i = 0; i < TAKEN; i++) {
        into.add(hits.next());
      }
      // A look ahead takes nothing.
      assertThat(hits.hasNext()).isTrue();
      return scanner.continuation().orElseThrow().toString();
    }
  }

  @Test
  void leadsBackToTheStartBeforeTheFirstHitAndNowhereBehindTheLast() throws Exception {
    QueriedTable table =
        QueriedTable.create("ends", family -> family, IndexDefinition.on("i", COLUMN));
    for (int i = 0; i < 3; i++) {
      table.write("r" + i, COLUMN, value(1), 5);
    }
    ValueQuery query = ValueQuery.on("i").equalTo(value(1));
    try (QueryEngine lookups = QueriedTable.lookups(10);
        ValueScanner scanner = table.open(lookups, query)) {
      Continuation start = scanner.continuation().orElseThrow();
      List<ValueHit> hits = new ArrayList<>();
      scanner.forEach(hits::add);
      assertThat(scanner.continuation()).isEmpty();
      assertThat(scanner.next()).isEmpty();
      assertThat(strings(table.read(lookups, query.from(start))))
          .isEqualTo(strings(hits))
          .hasSize(3);
    }
  }

  private static void split(TableName table, byte[] at) throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.split(table, at);
      MiniCluster.utility().waitFor(60_000, () -> admin.getRegions(table).size() == 2);
      MiniCluster.utility().waitUntilNoRegionsInTransition();
    }
  }

  private static byte[] value(int i) {
    return Bytes.toBytes("v" + i);
  }

  private static List<String> strings(List<ValueHit> hits) {
    return hits.stream().map(ValueHit::toString).toList();
  }
}
