package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.query.Point;
import io.deli.service.RegionService;
import io.deli.service.TokenScan;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Region servers outlive clients that send them anything: whatever they decode is refused with a
 * reason, at little cost, and the table still answers.
 *
 * <p>{@code -Ddeli.seed=N} replays a seed, {@code -Ddeli.fuzz.cases=N} sets how many cases there
 * are in all.
 */
class HostileClientTest {
  private static final int CASES = Integer.getInteger("deli.fuzz.cases", 1_200);
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 60;
  private static final String OBSERVER = DeliRegionObserver.class.getName();

  private static final List<IndexDefinition> INDEXES =
      List.of(
          index("v0", "deferred"),
          index("v1", "composite"),
          index("v2", "lazy"),
          index("v3", "eager"),
          index("v4", "embedded"),
          index("v5", "next"),
          index("v6", "none"),
          index("v7", "deferred").withMaintenance(Maintenance.SERVER),
          index("v8", "embedded").withType(ValueType.POINT));

  private static final TableName NAME = MiniCluster.uniqueTable("hostile");
  @AutoClose private static Connection connection;

  private final long seed = Long.getLong("deli.seed", 20241126);
  private final HostileBytes bytes = new HostileBytes(new Random(seed));
  private final HostileAttempts attempts = new HostileAttempts();

  private static IndexDefinition index(String name, String strategy) {
    return IndexDefinition.on(name, Column.of(F, Bytes.toBytes(name))).withStrategy(strategy);
  }

  @BeforeAll
  static void create() throws Exception {
    TableDescriptorBuilder described =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(OBSERVER);
    INDEXES.forEach(index -> IndexDefinitions.put(described, index));
    TableDescriptor base = described.build();
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      for (IndexDefinition index : INDEXES) {
        if (IndexDefinitions.indexTable(NAME, index).isPresent()) {
          admin.createTable(
              TableDescriptorBuilder.newBuilder(IndexTables.descriptor(base, index))
                  .setCoprocessor(OBSERVER)
                  .build());
        }
      }
      admin.createTable(base, new byte[][] {Bytes.toBytes("r3")});
    }
    Configuration conf = MiniCluster.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 20_000);
    conf.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    connection = ConnectionFactory.createConnection(conf);
    fill();
  }

  private static DeliConnection connect() throws IOException {
    return MiniCluster.connect();
  }

  private static void fill() throws Exception {
    try (DeliConnection deli = connect();
        DeliTable table = deli.getTable(NAME)) {
      table.put(IntStream.range(0, ROWS / 2).mapToObj(HostileClientTest::row).toList());
      MiniCluster.utility().flush(NAME);
      table.put(IntStream.range(ROWS / 2, ROWS).mapToObj(HostileClientTest::row).toList());
    }
  }

  private static Put row(int i) {
    Put put = new Put(Bytes.toBytes("r" + i));
    for (IndexDefinition each : INDEXES) {
      put.addColumn(F, each.column().qualifier(), value(each, i));
    }
    return put;
  }

  private static byte[] value(IndexDefinition index, int row) {
    return index.type() == ValueType.POINT
        ? new Point(row, -row).toBytes()
        : Bytes.toBytes("v" + row % 5);
  }

  @Test
  void regionServersOutliveHostileClients() throws Exception {
    request();
    attempts.report("hostile requests, seed " + seed);
    requireHealth(NAME);
    requireAnswers();
    corrupt();
    attempts.report("and hostile entries");
  }

  private void request() throws IOException {
    try (Table table = connection.getTable(NAME)) {
      HostileRequests reads =
          new HostileRequests(
              bytes, table, F, INDEXES.stream().map(IndexDefinition::name).toArray(String[]::new));
      HostileWrites writes =
          new HostileWrites(
              bytes, table, F, INDEXES.stream().map(each -> each.column().qualifier()).toList());
      List<MethodDescriptor> methods = RegionService.DESCRIPTOR.getMethods();
      for (int i = 0; i < CASES; i++) {
        MethodDescriptor method = methods.get(bytes.below(methods.size()));
        switch (i % 3) {
          case 0 -> attempts.make(method.getName(), () -> reads.call(method));
          case 1 -> attempts.make("scan", reads::read);
          default -> attempts.make("write", writes::write);
        }
      }
    }
  }

  @Test
  void aScanOfAllRowsAgainAndAgain_isRefused() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      HostileRequests requests = new HostileRequests(bytes, table, F, "v4");
      Message scan = requests.repeated(10_000);
      attempts.make(
          "scan of repeated ranges",
          () ->
              assertThatThrownBy(() -> requests.call(RegionService.SCAN, scan))
                  .hasMessageContaining("are in order and do not overlap"));
    }
    attempts.report("scans of repeated ranges");
  }

  @Test
  void aScanOfManyRanges_isAnsweredForSomeAtOnce() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      assertThat(new HostileRequests(bytes, table, F, "v4").answered(20_000)).isBetween(1, 10_000);
    }
  }

  /** Each condition would have memory of its own for every file. */
  @Test
  void aScanForManyConditions_isRefused() throws Exception {
    try (Table table = connection.getTable(NAME)) {
      HostileRequests requests = new HostileRequests(bytes, table, F, "v5");
      byte[] value = value(index("v5", "next"), 7);
      assertThat(requests.conditions(TokenScan.MOST_TOGETHER, value))
          .extracting(row -> Bytes.toString(row.getRow()))
          .contains("r7");
      assertThatThrownBy(() -> requests.conditions(1_000, value))
          .hasCauseInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("more than 16 conditions");
    }
  }

  /** As a user who may write to the index tables, whose queries may fail from then on. */
  private void corrupt() throws Exception {
    HostileWrites writes = new HostileWrites(bytes, null, F, List.of());
    for (IndexDefinition each : INDEXES) {
      Optional<TableName> index = IndexDefinitions.indexTable(NAME, each);
      if (index.isPresent()) {
        try (Table entries = connection.getTable(index.get())) {
          List<Cell> valid = TestTable.cells(index.get());
          for (int i = 0; i < CASES / 40; i++) {
            Cell entry = valid.get(bytes.below(valid.size()));
            attempts.make(each.strategy(), () -> writes.entry(entries, entry));
          }
        }
        requireHealth(index.get());
      }
    }
  }

  private static void requireHealth(TableName table) throws Exception {
    MiniCluster.utility().flush(table);
    MiniCluster.utility().compact(table, true);
    var cluster = MiniCluster.utility().getMiniHBaseCluster();
    assertThat(cluster.getLiveRegionServerThreads())
        .noneMatch(server -> server.getRegionServer().isAborted());
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      assertThat(cluster.getRegions(table)).hasSameSizeAs(admin.getRegions(table));
    }
    for (HRegion region : cluster.getRegions(table)) {
      assertThat(region.isAvailable()).isTrue();
      assertThat(region.getStores()).allMatch(store -> store.getStorefilesCount() < 2, "compacted");
      assertThat(region.getCoprocessorHost().getCoprocessors())
          .contains(DeliRegionObserver.class.getSimpleName());
    }
  }

  /** Of rows that nobody attacked. */
  private void requireAnswers() throws IOException {
    try (DeliConnection deli = connect();
        DeliTable table = deli.getTable(NAME)) {
      for (IndexDefinition each : INDEXES) {
        ValueQuery query = ValueQuery.on(each.name()).equalTo(value(each, 7));
        assertThat(TestTable.find(table, query)).contains("r7");
      }
    }
  }
}
