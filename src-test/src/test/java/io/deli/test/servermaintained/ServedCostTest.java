package io.deli.test.servermaintained;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.RegionRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What a write costs whose entries the region servers write, as they count it. */
class ServedCostTest {
  private static final int ROWS = 10;

  @Test
  void aPutIsAnAppendToTheLogOfEachAndSoIsAList() throws IOException {
    ServedTable served = ServedTable.create(BY_Q, "cost", 1);
    try (LogAppends appends = new LogAppends();
        Table table = served.table()) {
      // The server finds the index table.
      table.put(put("first", "v"));
      assertAppends(served, appends, 1, 1);
      RegionRequests before = RegionRequests.of(served.name());
      RegionRequests indexBefore = RegionRequests.of(served.index().table());
      for (int i = 0; i < ROWS; i++) {
        table.put(put("r" + i, "v"));
      }
      assertAppends(served, appends, ROWS, ROWS);
      table.put(list());
      assertAppends(served, appends, 1, 1);
      assertThat(RegionRequests.of(served.name()).since(before))
          .isEqualTo(new RegionRequests(2 * ROWS, 0));
      assertThat(RegionRequests.of(served.index().table()).since(indexBefore))
          .isEqualTo(new RegionRequests(2 * ROWS, 0));
      others(table, served, appends);
    }
    served.assertRight(1);
  }

  private static List<Put> list() {
    List<Put> list = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      list.add(put("r" + i, "w"));
    }
    return list;
  }

  private static void others(Table table, ServedTable served, LogAppends appends)
      throws IOException {
    byte[] row = Bytes.toBytes("r0");
    table.checkAndMutate(
        CheckAndMutate.newBuilder(row)
            .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("w"))
            .build(put("r0", "x")));
    assertAppends(served, appends, 1, 1);
    table.mutateRow(
        new RowMutations(row)
            .add(List.of(put("r0", "y"), new Delete(row).addColumns(FAMILY, OTHER))));
    assertAppends(served, appends, 1, 1);
    table.put(new Put(row).addColumn(FAMILY, OTHER, Bytes.toBytes("z")));
    table.delete(new Delete(row));
    assertAppends(served, appends, 2, 0);
  }

  private static void assertAppends(ServedTable served, LogAppends appends, int base, int index) {
    assertThat(appends.take(served.name())).isEqualTo(base);
    assertThat(appends.take(served.index().table())).isEqualTo(index);
  }
}
