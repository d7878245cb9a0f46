package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.entry.RowClock;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timestamps that come again, tie, or go backwards. */
class SameTimestampTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] A = Bytes.toBytes("a");
  @AutoClose private Connection connection;
  private TestTable written;
  private DeliTable table;

  @BeforeEach
  void open() throws Exception {
    connection = MiniCluster.connectConfigured();
    written = TestTable.create("ties", 1);
    table = (DeliTable) connection.getTable(written.name());
  }

  private static Put at(long timestamp, byte[] value) {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, timestamp, value);
  }

  private void flushAndCompact(TableName name) throws Exception {
    MiniCluster.utility().flush(name);
    MiniCluster.utility().compact(name, true);
  }

  private List<Long> found(byte[] value) throws Exception {
    List<Long> timestamps = new ArrayList<>();
    try (ValueScanner hits = table.readValue(ValueQuery.on("by_q").equalTo(value))) {
      for (ValueHit hit : hits) {
        timestamps.add(hit.timestamp());
      }
    }
    return timestamps;
  }

  @Test
  void eachPutAtAGivenTimestampHasAnEntryOfItsOwn() throws Exception {
    table.put(at(5, A));
    table.put(at(5, A));
    assertThat(TestTable.cells(written.index().table())).as("two writes, two entries").hasSize(2);
    assertThat(found(A)).containsExactly(5L);
  }

  @Test
  void aPutAgainAtATimestampThatWasDeletedAndCollectedIsFound() throws Exception {
    table.put(at(5, A));
    table.delete(new Delete(ROW).addColumns(FAMILY, QUALIFIER, 5));
    flushAndCompact(written.name());
    assertThat(found(A)).isEmpty();
    table.put(at(5, A));
    assertThat(table.exists(new Get(ROW))).as("the base has it").isTrue();
    assertThat(found(A)).containsExactly(5L);
    flushAndCompact(written.name());
    flushAndCompact(written.index().table());
    assertThat(found(A)).containsExactly(5L);
  }

  @Test
  void writesInOneMillisecondDoNotTieAndAClockSetBackDoesNotHideThem() throws Exception {
    AtomicLong millis = new AtomicLong(1_000_000);
    written.admittingAll();
    try (DeliConnection stopped =
            DeliConnection.wrap(
                ConnectionFactory.createConnection(MiniCluster.configuration()),
                new RowClock(() -> Instant.ofEpochMilli(millis.get()))::next);
        DeliTable own = stopped.getTable(written.name())) {
      for (int i = 0; i < 5; i++) {
        own.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v" + i)));
      }
      millis.set(500_000);
      own.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, A));
      assertThat(own.get(new Get(ROW)).getValue(FAMILY, QUALIFIER)).isEqualTo(A);
      own.delete(new Delete(ROW));
      assertThat(own.exists(new Get(ROW))).isFalse();
      own.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, A));
      assertThat(own.get(new Get(ROW)).rawCells()[0].getTimestamp()).isEqualTo(1_000_007);
    }
    written.assertIndexed();
    assertThat(found(A)).hasSize(1);
  }
}
