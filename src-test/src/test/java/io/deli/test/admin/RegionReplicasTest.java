package io.deli.test.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.CollectOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.tools.advise.Facts;
import io.deli.tools.advise.Survey;
import java.io.IOException;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region counts once, however many replicas it has, with a server or without. */
class RegionReplicasTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final String INDEX = "i";
  private static final byte[][] SPLITS = {Bytes.toBytes("4")};
  private static final int REGIONS = 2;
  private static final int ROWS = 8;
  private static final TableName NAME = MiniCluster.uniqueTable("replicas");
  private static final DeliAdmin ADMIN = DeliAdmin.of(MiniCluster.connection());

  @BeforeAll
  static void create() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(COLUMN.family()))
              .setRegionReplication(2)
              .build(),
          SPLITS);
      ADMIN.createIndex(NAME, IndexDefinition.on(INDEX, COLUMN));
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries()))
              .setRegionReplication(2)
              .build());
    }
    try (DeliConnection connection = MiniCluster.connect();
        Table table = connection.getTable(NAME)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(
            new Put(Bytes.toBytes("" + i))
                .addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes("v")));
      }
    }
  }

  private static TableName entries() throws IOException {
    return Index.of(NAME, ADMIN.describe(NAME, INDEX)).table();
  }

  /** A region that is opened anew gets its servers back. */
  @BeforeEach
  void takeServersFromReplicas() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      takeServerFromAReplica(admin, NAME);
      takeServerFromAReplica(admin, entries());
    }
  }

  /** In the catalog, as that of a region which has just been split has none. */
  private static void takeServerFromAReplica(Admin admin, TableName table) throws IOException {
    RegionInfo region =
        admin.getRegions(table).stream()
            .filter(RegionReplicaUtil::isDefaultReplica)
            .findFirst()
            .orElseThrow();
    try (Table catalog = MiniCluster.connection().getTable(TableName.META_TABLE_NAME)) {
      catalog.put(MetaTableAccessor.addEmptyLocation(new Put(region.getRegionName()), 1));
    }
  }

  @Test
  void collectAsksAndListsRegionsOnce() throws IOException {
    assertThat(ADMIN.collect(NAME, CollectOptions.DEFAULT, ProgressListener.NONE).left()).isEmpty();
    assertThat(ADMIN.regions(NAME))
        .hasSize(REGIONS)
        .allMatch(region -> region.compacted().isPresent());
  }

  @Test
  void verifyByChecksumsReadsEveryRegion() throws IOException {
    VerifyReport report =
        ADMIN.verify(NAME, INDEX, VerifyOptions.DEFAULT.withSums(), ProgressListener.NONE);
    assertThat(report.found()).isEmpty();
    assertThat(report.versions()).isEqualTo(ROWS);
  }

  @Test
  void buildReadsEveryRegion() throws IOException {
    assertThat(ADMIN.build(NAME, INDEX, BuildOptions.DEFAULT, ProgressListener.NONE).rows())
        .isEqualTo(ROWS);
  }

  @Test
  void adviceCountsRegionsAndRowsOnce() throws IOException {
    Facts.Table facts =
        new Survey(
                MiniCluster.connection(),
                MiniCluster.utility().getAdmin().getDescriptor(NAME),
                COLUMN,
                ValueType.STRING)
            .run(100, Facts.Wants.UNTOLD, ProgressListener.NONE)
            .facts()
            .table();
    assertThat(facts.regions()).isEqualTo(REGIONS);
    assertThat(facts.rows()).isEqualTo(ROWS);
  }
}
