package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.RegionRequests;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What writes and lookups cost by each strategy, as the regions count it. */
class StrategyCostTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final String INDEX = "i";
  private static final int UPDATES = 10;

  private final TableName name = MiniCluster.uniqueTable("costs");
  private RegionRequests afterCreation;

  private DeliConnection connect(String strategy) throws IOException {
    MiniCluster.utility().createTable(name, COLUMN.family());
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(name, IndexDefinition.on(INDEX, COLUMN).withStrategy(strategy));
    afterCreation = RegionRequests.of(name);
    return MiniCluster.connect();
  }

  private RegionRequests ofBase() {
    return RegionRequests.of(name).since(afterCreation);
  }

  private RegionRequests ofIndex() {
    return RegionRequests.of(IndexDefinitions.indexTable(name, INDEX));
  }

  private long entries() throws IOException {
    return DeliAdmin.of(MiniCluster.connection())
        .statistics(name, INDEX, 0, ProgressListener.NONE)
        .entries();
  }

  private static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes(value));
  }

  /** One row is updated, and then deleted. */
  @ParameterizedTest
  @CsvSource({
    // strategy, reads of the base by updates and delete, writes to the index, entries left
    "deferred,  0,  0, 10, 0, 10",
    "composite, 0,  2, 10, 1,  9",
    "lazy,      0,  2, 10, 1,  9",
    "in-place, 10,  2, 19, 1,  0"
  })
  void writesCost(
      String strategy,
      long readsOfUpdates,
      long readsOfDelete,
      long writesOfUpdates,
      long writesOfDelete,
      long left)
      throws IOException {
    try (DeliConnection connection = connect(strategy);
        DeliTable table = connection.getTable(name)) {
      for (int i = 0; i < UPDATES; i++) {
        table.put(put("row", "v" + i));
      }
      assertThat(ofBase()).isEqualTo(new RegionRequests(UPDATES, readsOfUpdates));
      assertThat(ofIndex()).isEqualTo(new RegionRequests(writesOfUpdates, 0));
      table.delete(new Delete(Bytes.toBytes("row")));
      assertThat(ofBase())
          .isEqualTo(new RegionRequests(UPDATES + 1, readsOfUpdates + readsOfDelete));
      assertThat(ofIndex()).isEqualTo(new RegionRequests(writesOfUpdates + writesOfDelete, 0));
    }
    assertThat(entries()).isEqualTo(left);
  }

  /** Within one list, too, where what is superseded has not been written yet. */
  @Test
  void inPlaceLeavesNothingBehindInLists() throws IOException {
    try (DeliConnection connection = connect("in-place");
        DeliTable table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        for (int row = 0; row < 20; row++) {
          puts.add(put("r" + row, "v" + round));
        }
      }
      table.put(puts);
      assertThat(entries()).isEqualTo(20);
      table.put(puts);
      assertThat(entries()).isEqualTo(20);
      assertThat(ofBase().reads()).isEqualTo(2L * puts.size());
    }
  }

  /** Of one client, after another write: what stays for readers is the exception. */
  @Test
  void inPlaceHoldsExactlyTheNewestVersions() throws IOException {
    Random random = new Random(20240403);
    try (DeliConnection connection = connect("in-place");
        DeliTable table = connection.getTable(name)) {
      for (int i = 0; i < 300; i++) {
        String row = "r" + random.nextInt(8);
        switch (random.nextInt(5)) {
          case 0 -> table.delete(new Delete(Bytes.toBytes(row)));
          case 1 ->
              table.delete(
                  new Delete(Bytes.toBytes(row)).addColumns(COLUMN.family(), COLUMN.qualifier()));
          default -> table.put(put(row, "v" + random.nextInt(4)));
        }
      }
      long living = TestTable.cells(MiniCluster.connection(), name, new Scan()).size();
      assertThat(entries()).isEqualTo(living).isPositive();
    }
  }

  /** In the region of the index table, as part of the write. */
  @Test
  void eagerReadsTheListAtEachWrite() throws IOException {
    try (DeliConnection connection = connect("eager");
        DeliTable table = connection.getTable(name)) {
      table.put(put("row", "v"));
      RegionRequests first = ofIndex();
      for (int i = 0; i < UPDATES; i++) {
        // What has the newest's timestamp may belong behind it, into an older list.
        Eventually.nextMillisecond();
        table.put(put("row" + i, "v"));
      }
      assertThat(ofIndex().since(first)).isEqualTo(new RegionRequests(UPDATES, UPDATES));
      assertThat(ofBase()).isEqualTo(new RegionRequests(UPDATES + 1, 0));
      RegionRequests written = ofIndex();
      assertThat(found(table, "v")).hasSize(UPDATES + 1);
      assertThat(ofIndex().since(written)).isEqualTo(new RegionRequests(0, 1));
      table.delete(new Delete(Bytes.toBytes("row")));
      assertThat(found(table, "v")).hasSize(UPDATES);
    }
    assertThat(entries()).isEqualTo(UPDATES);
  }

  @Test
  void noneHasNoTableAndWritesOnlyTheBase() throws IOException {
    try (DeliConnection connection = connect("none");
        DeliTable table = connection.getTable(name);
        Admin admin = MiniCluster.connection().getAdmin()) {
      for (int i = 0; i < UPDATES; i++) {
        table.put(put("row" + i, "v" + i % 2));
      }
      assertThat(ofBase()).isEqualTo(new RegionRequests(UPDATES, 0));
      assertThat(admin.tableExists(IndexDefinitions.indexTable(name, INDEX))).isFalse();
      assertThat(found(table, "v1")).containsExactly("row1", "row3", "row5", "row7", "row9");
      // What cannot match stays at the server.
      assertThat(filtered()).isEqualTo(UPDATES / 2);
    }
    assertThat(entries()).isZero();
  }

  private long filtered() {
    return MiniCluster.regions(name).stream()
        .mapToLong(HRegion::getFilteredReadRequestsCount)
        .sum();
  }

  private static List<String> found(DeliTable table, String value) throws IOException {
    return TestTable.find(table, ValueQuery.on(INDEX).equalTo(Bytes.toBytes(value)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inPlaceRefusesWhatItForgets(boolean versions) throws IOException {
    ValueQuery query = ValueQuery.on(INDEX).equalTo(Bytes.toBytes("v"));
    MiniCluster.utility().createTable(name, COLUMN.family(), 3);
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(name, IndexDefinition.on(INDEX, COLUMN).withStrategy("in-place"));
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(name)) {
      assertThatThrownBy(() -> table.readValue(versions ? query.versions(2) : query.asOf(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(versions ? "versions(m)" : "asOf(t)")
          .hasMessageContaining("'in-place'")
          .hasMessageContaining("composite, deferred");
    }
  }
}
