package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Of compactions that write the cells of now into files of their own. */
class LiveFilesTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final int ROWS = 60;

  @Test
  void everyRowIsReadAsBefore() throws Exception {
    TableName name =
        TestTable.createAsOperator(
                TestTable.describe("live", 1)
                    .setValue("hbase.enable.historical.compaction.files", "true"),
                List.of())
            .name();
    try (DeliConnection connection = MiniCluster.connect();
        DeliTable table = connection.getTable(name)) {
      connection.getDeliAdmin().createIndex(name, IndexDefinition.on("i", COLUMN));
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes("row%02d".formatted(i));
        gets.add(new Get(row));
        table.put(new Put(row).addColumn(COLUMN.family(), COLUMN.qualifier(), VALUE));
      }
      for (HRegion region : MiniCluster.utility().getMiniHBaseCluster().getRegions(name)) {
        region.flush(true);
        region.compact(true);
      }
      assertThat(table.get(gets)).noneMatch(row -> row.isEmpty());
      try (ValueScanner hits = table.readValue(ValueQuery.on("i").equalTo(VALUE))) {
        assertThat(hits).hasSize(ROWS);
      }
    }
  }
}
