package io.deli.test.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A program that knows of no index keeps each kind of them, and explanations count its hits. */
class IndexKindsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column USER = Column.parse("f:q");
  private static final Column TIME = Column.parse("f:t");
  private static final Column STATE = Column.parse("f:s");
  private static final Column COUNT = Column.parse("f:n");
  private static final byte[] USER_1 = Bytes.toBytes("user1");
  private static final byte[] OPEN = Bytes.toBytes("open");
  private static final List<IndexDefinition> INDEXES =
      List.of(
          IndexDefinition.on("salted", USER).withOption(IndexDefinition.BUCKETS, "4"),
          IndexDefinition.on("partial", USER).withCondition(STATE, OPEN),
          IndexDefinition.on("joined", USER, TIME).withType(ValueType.STRING, ValueType.LONG),
          IndexDefinition.on("counted", COUNT)
              .withType(ValueType.LONG)
              .withMaintenance(Maintenance.SERVER));

  private static final TableName NAME = MiniCluster.uniqueTable("kinds");
  @AutoClose private static DeliConnection connection;
  private static DeliTable table;

  @BeforeAll
  static void runTheProgram() throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    for (IndexDefinition index : INDEXES) {
      DeliAdmin.of(MiniCluster.connection()).createIndex(NAME, index);
    }
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.connection.impl", DeliConnection.class.getName());
    UnmodifiedProgram.run(configuration, NAME);
    UnmodifiedProgram.count(configuration, NAME);
    connection =
        DeliConnection.wrap(ConnectionFactory.createConnection(MiniCluster.configuration()));
    table = connection.getTable(NAME);
  }

  private static Predicate<Result> has(Column column, byte[] value) {
    return row -> Bytes.equals(row.getValue(column.family(), column.qualifier()), value);
  }

  private static Predicate<Result> hasLong(Column column, Predicate<Long> wanted) {
    return row -> {
      byte[] value = row.getValue(column.family(), column.qualifier());
      return value != null && wanted.test(Bytes.toLong(value));
    };
  }

  /** As a scan of the table finds them. */
  private static void assertFinds(ValueQuery query, Predicate<Result> wanted) throws IOException {
    List<String> expected =
        TestTable.rows(MiniCluster.connection(), NAME, new Scan()).stream()
            .filter(wanted)
            .map(row -> Bytes.toString(row.getRow()))
            .toList();
    assertThat(expected).isNotEmpty();
    assertThat(TestTable.find(table, query)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(table.explain(query).reads().hits()).isEqualTo(expected.size());
  }

  @Test
  void aSaltedIndexHasThem() throws IOException {
    assertFinds(ValueQuery.on("salted").equalTo(USER_1), has(USER, USER_1));
  }

  @Test
  void aPartialIndexHasThem() throws IOException {
    assertFinds(
        ValueQuery.on("partial").equalTo(USER_1).and(ValueQuery.on("f:s").equalTo(OPEN)),
        has(USER, USER_1).and(has(STATE, OPEN)));
  }

  @Test
  void anIndexOnSeveralColumnsHasThem() throws IOException {
    assertFinds(
        ValueQuery.on("joined").leading(USER_1).atLeast(Bytes.toBytes(7L)),
        has(USER, USER_1).and(hasLong(TIME, time -> time >= 7)));
  }

  @Test
  void anIndexOfComputedValuesHasThem() throws IOException {
    assertFinds(
        ValueQuery.on("counted").equalTo(Bytes.toBytes(2L)), hasLong(COUNT, count -> count == 2));
  }
}
