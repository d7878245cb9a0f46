package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.test.cluster.ClientTable;
import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Of compactions that write the cells of now into files of their own. */
class LiveFilesTest {
  private static final int ROWS = 60;

  @Test
  void everyRowIsReadAsBefore() throws Exception {
    try (ClientTable table =
        ClientTable.createIndexed(
            TestTable.describe("live", 1)
                .setValue("hbase.enable.historical.compaction.files", "true"),
            TestTable.byQ())) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        String row = "row%02d".formatted(i);
        gets.add(new Get(Bytes.toBytes(row)));
        table.client().put(TestTable.put(row, "v"));
      }
      TestTable.compact(table.name());
      assertThat(table.client().get(gets)).noneMatch(row -> row.isEmpty());
      ValueQuery query = ValueQuery.on(TestTable.INDEX).equalTo(Bytes.toBytes("v"));
      assertThat(table.find(query)).hasSize(ROWS);
    }
  }
}
