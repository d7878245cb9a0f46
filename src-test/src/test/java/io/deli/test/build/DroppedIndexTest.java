package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.VetoingMaster;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** A dropped index leaves nothing behind that is its own, and leaves what is not. */
class DroppedIndexTest {
  private static final String DELETE_EXPIRED_FILES = "hbase.store.delete.expired.storefile";

  private static String expiredFiles(BuiltTable table) throws IOException {
    try (Admin hbase = MiniCluster.connection().getAdmin()) {
      return hbase.getDescriptor(table.name()).getValue(DELETE_EXPIRED_FILES);
    }
  }

  @Test
  void aSettingOfTheTablesOwnOutlivesAnIndexThatDoesNotNeedIt() throws IOException {
    try (BuiltTable table = BuiltTable.create("own")) {
      set(table.name(), DELETE_EXPIRED_FILES, "false");
      table
          .admin()
          .createIndex(
              table.name(),
              IndexDefinition.on("inside", BuiltTable.COLUMN).withStrategy("embedded"));
      assertThat(expiredFiles(table)).isEqualTo("false");
      table.admin().dropIndex(table.name(), "inside");
      assertThat(expiredFiles(table)).isEqualTo("false");
    }
  }

  @Test
  void aSettingThatAnIndexNeedsGoesWithTheLastSuch() throws IOException {
    try (BuiltTable table = BuiltTable.create("needed")) {
      for (String name : new String[] {INDEX, "other"}) {
        table.admin().createIndex(table.name(), IndexDefinition.on(name, BuiltTable.COLUMN));
      }
      table.admin().dropIndex(table.name(), INDEX);
      assertThat(expiredFiles(table)).isEqualTo("false");
      table.admin().dropIndex(table.name(), "other");
      assertThat(expiredFiles(table)).isNull();
    }
  }

  /** Once the index is gone, nobody would come back for it. */
  @Test
  void aCheckpointGoesAheadOfTheIndex() throws IOException {
    try (BuiltTable table = BuiltTable.filled("checkpoint", 10);
        Admin hbase = MiniCluster.connection().getAdmin()) {
      TableName checkpoint = TableName.valueOf(table.name() + "." + INDEX + ".build");
      UserTokenizer.failAt("row0005");
      table.createIndex(BuiltTable.stoppable());
      assertThatThrownBy(table::build).hasMessageContaining("a bug of the user's");
      assertThat(hbase.tableExists(checkpoint)).isTrue();
      VetoingMaster.refuseToAlter(table.name());
      assertThatThrownBy(() -> table.admin().dropIndex(table.name(), INDEX))
          .hasStackTraceContaining("vetoed");
      assertThat(hbase.tableExists(checkpoint)).isFalse();
    }
  }
}
