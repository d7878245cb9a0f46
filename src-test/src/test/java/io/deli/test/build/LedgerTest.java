package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class LedgerTest {
  /** Where another got to, in a form that nobody here knows. */
  @Test
  void aBuildInAnotherFormatIsNotGoneOnWith() throws Exception {
    try (BuiltTable table = toBuild("format");
        Admin admin = MiniCluster.connection().getAdmin()) {
      TableName ledger = create(admin, table, "2");
      assertThatThrownBy(table::build)
          .hasMessageContainingAll("format 2", "reads format 1", "Upgrade DELI", "build it again");
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      table.admin().dropIndex(table.name(), INDEX);
      assertThat(admin.tableExists(ledger)).isFalse();
    }
  }

  /** As one is that was about to be dropped when its builder died. */
  @Test
  void aDisabledOneIsMadeAnew() throws Exception {
    try (BuiltTable table = toBuild("disabled");
        Admin admin = MiniCluster.connection().getAdmin()) {
      TableName ledger = create(admin, table, "1");
      admin.disableTable(ledger);
      assertThat(table.build().rows()).isEqualTo(10);
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      assertThat(admin.tableExists(ledger)).isFalse();
    }
  }

  private static BuiltTable toBuild(String stem) throws IOException {
    BuiltTable table = BuiltTable.filled(stem, 10);
    table.createIndex(BuiltTable.definition("deferred"));
    return table;
  }

  private static TableName create(Admin admin, BuiltTable table, String format) throws IOException {
    TableName index = IndexDefinitions.indexTable(table.name(), INDEX);
    TableName ledger = TableName.valueOf(index.getNameAsString() + ".build");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(ledger)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
            .setValue("deli.build.of", index.getNameAsString())
            .setValue("deli.build.format", format)
            .build());
    return ledger;
  }
}
