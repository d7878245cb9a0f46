package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.INDEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that knows an index as another that had its name before. */
class RedefinedIndexTest {
  private static final Column OTHER = Column.parse("f:other");
  private static final ValueQuery QUERY =
      ValueQuery.on(INDEX).equalTo(Bytes.toBytes("v")).limit(10);

  /** With definitions that never grow old by themselves. */
  private static DeliConnection connect() throws IOException {
    return MiniCluster.connect(MiniCluster.configuration(TimeUnit.HOURS.toMillis(2)));
  }

  private static List<String> rows(Iterable<ValueHit> hits) {
    List<String> rows = new ArrayList<>();
    hits.forEach(hit -> rows.add(Bytes.toString(hit.row())));
    return rows;
  }

  private static List<String> scan(DeliConnection connection, TableName name) throws IOException {
    try (DeliTable table = connection.getTable(name);
        ValueScanner hits = table.readValue(QUERY)) {
      return rows(hits);
    }
  }

  private static List<String> page(DeliConnection connection, TableName name) throws Exception {
    return rows(connection.getAsyncTable(name).readValue(QUERY).get(60, TimeUnit.SECONDS).hits());
  }

  private static long explain(DeliConnection connection, TableName name) throws IOException {
    try (DeliTable table = connection.getTable(name)) {
      return table.explain(QUERY).reads().hits();
    }
  }

  private static void redefine(TableName name, String strategy) throws IOException {
    DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
    admin.dropIndex(name, INDEX);
    admin.createIndex(name, IndexDefinition.on(INDEX, OTHER).withStrategy(strategy));
  }

  private static void put(TableName name, String row, Column column) throws IOException {
    try (Table plain = MiniCluster.connection().getTable(name)) {
      plain.put(
          new Put(Bytes.toBytes(row))
              .addColumn(column.family(), column.qualifier(), Bytes.toBytes("v")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "none"})
  void isAskedAgainByTheNewDefinition(String strategy) throws Exception {
    try (ScannedTable table = ScannedTable.create(strategy, "redefined");
        DeliConnection one = connect();
        DeliConnection two = connect();
        DeliConnection three = connect()) {
      put(table.name(), "old", COLUMN);
      assertThat(scan(one, table.name())).containsExactly("old");
      assertThat(page(two, table.name())).containsExactly("old");
      assertThat(explain(three, table.name())).isEqualTo(1);
      redefine(table.name(), strategy);
      put(table.name(), "new", OTHER);
      put(table.name(), "newer", OTHER);
      assertThat(scan(one, table.name())).containsExactly("new", "newer");
      assertThat(page(two, table.name())).containsExactly("new", "newer");
      assertThat(explain(three, table.name())).isEqualTo(2);
    }
  }
}
