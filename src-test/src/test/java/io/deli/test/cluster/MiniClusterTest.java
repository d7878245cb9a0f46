package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class MiniClusterTest {
  @Test
  void answersReads() throws Exception {
    TableName name = MiniCluster.uniqueTable("smoke");
    byte[] family = Bytes.toBytes("f");
    byte[] row = Bytes.toBytes("row");
    try (Table table = MiniCluster.utility().createTable(name, family)) {
      table.put(new Put(row).addColumn(family, row, row));
      assertThat(table.get(new Get(row)).getValue(family, row)).isEqualTo(row);
    }
  }
}
