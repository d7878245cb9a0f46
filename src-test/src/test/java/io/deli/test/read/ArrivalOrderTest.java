package io.deli.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.QueryEngine;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Versions that arrive in another order than their timestamps say. */
class ArrivalOrderTest {
  private static final Column COLUMN = QueriedTable.column("c");
  private static final int VERSIONS = 4;

  @Test
  void everyTimeAndNumberOfVersionsEqualsAScan() throws Exception {
    QueriedTable table =
        QueriedTable.create(
            "arrival",
            family -> family.setMaxVersions(VERSIONS),
            IndexDefinition.on("key", COLUMN),
            IndexDefinition.on("time", COLUMN).withOrder(EntryOrder.BY_TIME));
    long ahead = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
    table.write("r", COLUMN, Bytes.toBytes("A"), 30);
    table.write("r", COLUMN, Bytes.toBytes("B"), 10);
    table.flush();
    table.write("r", COLUMN, Bytes.toBytes("A"), 20);
    table.write("r", COLUMN, Bytes.toBytes("B"), ahead);
    table.flush();

    try (QueryEngine lookups = QueriedTable.lookups(256);
        Table base = table.table()) {
      for (long asOf :
          new long[] {0, 9, 10, 15, 20, 29, 30, 31, ahead - 1, ahead, Long.MAX_VALUE}) {
        for (int m = 1; m <= VERSIONS; m++) {
          for (String index : List.of("key", "time")) {
            for (String value : List.of("A", "B")) {
              byte[] v = Bytes.toBytes(value);
              ValueQuery query = ValueQuery.on(index).equalTo(v).asOf(asOf).versions(m);
              List<ValueHit> scanned =
                  BruteForce.of(base, asOf, m).hits(COLUMN, each -> Bytes.equals(each, v));
              assertThat(table.read(lookups, query))
                  .as(query.toString())
                  .hasToString(scanned.toString());
            }
          }
        }
      }
    }
  }
}
