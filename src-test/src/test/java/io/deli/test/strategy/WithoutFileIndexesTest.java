package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.INDEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.coprocessor.DeliRegionObserver;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Region servers that have the coprocessor, but not {@code deli-fileindex}: that is not on the
 * class path of this execution, in which the contracts of strategies that need no file index run,
 * too. Here is what such servers refuse.
 */
@Tag("without-fileindex")
class WithoutFileIndexesTest {
  private static final Column OTHER = Column.of(COLUMN.family(), Bytes.toBytes("other"));

  @BeforeAll
  static void requireThatTheModuleIsMissing() {
    assertThatThrownBy(() -> Class.forName("io.deli.fileindex.BlockIndexing"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(FileIndexProvider.installed()).isEmpty();
  }

  private static TableName createTable() throws IOException {
    TableName table = MiniCluster.uniqueTable("without");
    MiniCluster.utility().createTable(table, COLUMN.family()).close();
    return table;
  }

  private static TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  private static IndexDefinition definition(String strategy) {
    return IndexDefinition.on(INDEX, COLUMN).withStrategy(strategy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void creationIsRefusedBeforeAnythingIsChanged(String strategy) throws IOException {
    TableName table = createTable();
    TableDescriptor before = descriptor(table);
    assertThatThrownBy(
            () -> DeliAdmin.of(MiniCluster.connection()).createIndex(table, definition(strategy)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageStartingWith(
            "index '%s' of table %s cannot be used: strategy '%s' keeps it in the table's own files,"
                    .formatted(INDEX, table, strategy)
                + " which takes the module deli-fileindex, missing on region servers [")
        .hasMessageEndingWith(
            "]. Install deli-fileindex-<version>-server.jar in place of"
                + " deli-coprocessor-<version>-server.jar, whose classes it has, too; nothing was"
                + " changed");
    assertThat(descriptor(table)).isEqualTo(before);
  }

  /** As after the module was taken from a server. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void aRegionRefusesLookupsAndKeepsWhatIsWritten(String strategy) throws IOException {
    TableName table = createTable();
    define(table, definition(strategy));
    String refusal = FileIndexing.missing(table, definition(strategy), "on this region server");
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable rows = connection.getTable(table);
        Table plain = MiniCluster.connection().getTable(table)) {
      connection.getDeliAdmin().createIndex(table, IndexDefinition.on("by_other", OTHER));
      rows.put(put("client", "v"));
      plain.put(put("server", "v"));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> find(rows, INDEX)).hasStackTraceContaining(refusal);
        assertThat(find(rows, "by_other")).as("the other index").isTrue();
        assertThat(plain.exists(new Get(Bytes.toBytes("client")))).isTrue();
        assertThat(plain.exists(new Get(Bytes.toBytes("server")))).isTrue();
        MiniCluster.utility().flush(table);
        MiniCluster.utility().compact(table, true);
      }
    }
  }

  /** An index without entries keeps no version that HBase would let go. */
  @ParameterizedTest
  @ValueSource(strings = {"embedded", "next"})
  void versionsThatAreSupersededAreCollected(String strategy) throws IOException {
    TableName table = createTable();
    define(table, definition(strategy));
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(table, IndexDefinition.on("by_other", OTHER));
    try (Table plain = MiniCluster.connection().getTable(table)) {
      for (String value : List.of("v", "w")) {
        plain.put(put("server", value));
        MiniCluster.utility().flush(table);
      }
      MiniCluster.utility().compact(table, true);
      try (ResultScanner all = plain.getScanner(new Scan().setRaw(true).readAllVersions())) {
        assertThat(all.next().rawCells()).hasSize(1);
        assertThat(all.next()).isNull();
      }
    }
  }

  @Test
  void anIndexIsTakenOutAgain() throws IOException {
    TableName table = createTable();
    define(table, definition("next"));
    DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
    admin.dropIndex(table, INDEX);
    assertThat(admin.list(table)).isEmpty();
    admin.createIndex(table, definition("none"));
  }

  private static void define(TableName table, IndexDefinition definition) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(descriptor(table));
      changed.setCoprocessor(DeliRegionObserver.class.getName());
      admin.modifyTable(IndexDefinitions.put(changed, definition).build());
    }
  }

  private static Put put(String row, String value) {
    Put put = new Put(Bytes.toBytes(row));
    put.addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes(value));
    return row.equals("client")
        ? put.addColumn(OTHER.family(), OTHER.qualifier(), Bytes.toBytes(value))
        : put;
  }

  private static boolean find(DeliTable rows, String index) throws IOException {
    try (ValueScanner hits = rows.readValue(ValueQuery.on(index).equalTo(Bytes.toBytes("v")))) {
      return hits.next().isPresent();
    }
  }
}
