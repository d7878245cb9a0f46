package io.deli.test.hbase;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.MiniCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Whether what is asked of every table of HBase's tests can fail. */
class MissingEntriesTest {
  private static final byte[] FAMILY = Bytes.toBytes("cf");

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes("cq"), Bytes.toBytes("v"));
  }

  @Test
  void findsWhatWasWrittenPastTheClient() throws Exception {
    TableDescriptor table =
        IndexEveryTable.indexed(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("missing_entries"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
    MissingEntries check = new MissingEntries(MiniCluster.connection());
    try (Admin admin = MiniCluster.connection().getAdmin();
        Connection plain = ConnectionFactory.createConnection(MiniCluster.configuration());
        Table past = plain.getTable(table.getTableName());
        DeliConnection deli = MiniCluster.connect();
        Table indexed = deli.getTable(table.getTableName())) {
      for (IndexDefinition definition : IndexDefinitions.of(table)) {
        admin.createTable(IndexTables.descriptor(table, definition));
      }
      admin.createTable(table);
      indexed.put(put("a"));
      check.require(table);
      past.put(put("b"));
      assertThatThrownBy(() -> check.require(table)).hasMessageContaining("no entry in");
    }
  }
}
