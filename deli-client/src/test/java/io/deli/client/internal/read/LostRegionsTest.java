package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.read.QueryMetrics.DetailedReader;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rows that are read count, though it is not known any more where their regions are. */
class LostRegionsTest extends MemoryQueries {
  @Test
  void allHitsAreDelivered() {
    begin(0);
    write("row", "p", "a", BEGUN - 5);
    tables.lose();
    ValueQuery query = ValueQuery.on("key").between(Plans.A, new byte[] {'y'}).limit(10);
    try (QueryEngine engine = engine(10, 1 << 20)) {
      assertThat(engine.page(Plans.fixed(table), query).join().hits()).hasSize(1);
    }
  }

  @Test
  void rowsOfAnExplainedQueryAreRead() {
    begin(0);
    write("row", "p", "a", BEGUN - 5);
    tables.lose();
    Get get = new Get(Bytes.toBytes("row")).addColumn(Bytes.toBytes("f"), Bytes.toBytes("p"));
    DetailedReader reader =
        new DetailedReader(new ReadTables(tables.connection(), 2, Scheduler.SYSTEM));
    assertThat(reader.get(table.base(), List.of(get)).join()).hasSize(1);
  }
}
