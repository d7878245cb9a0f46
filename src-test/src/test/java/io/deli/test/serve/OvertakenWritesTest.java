package io.deli.test.serve;

import static io.deli.test.serve.ServedTable.BY_Q;
import static io.deli.test.serve.ServedTable.FAMILY;
import static io.deli.test.serve.ServedTable.OTHER;
import static io.deli.test.serve.ServedTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A write that waits for its index while others of its row are done. */
class OvertakenWritesTest {
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] BEFORE = Bytes.toBytes("before");
  private static final byte[] CONDITIONAL = Bytes.toBytes("conditional");
  private static final byte[] WAITED = Bytes.toBytes("waited");

  /** The condition did not see it, so it came later, and is what is read. */
  @Test
  void comesBehindAConditionalOneThatDidNotSeeIt() throws Exception {
    ServedTable served =
        ServedTable.create(MiniCluster.connection(), MiniCluster.uniqueTable("overtaken"), BY_Q, 3);
    try (Table table = served.table()) {
      table.put(other(BEFORE));
      EntryGate gate = EntryGate.closed(served.index().table());
      Put both = put("r", "v").addColumn(FAMILY, OTHER, WAITED);
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> write(served, both));
      gate.awaitArrival();
      CheckAndMutate conditional =
          CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, OTHER, BEFORE).build(other(CONDITIONAL));
      assertThat(table.checkAndMutate(conditional).isSuccess()).isTrue();
      gate.open();
      waiting.get(2, TimeUnit.MINUTES);
      assertThat(table.get(new Get(ROW)).getValue(FAMILY, OTHER)).isEqualTo(WAITED);
    }
    assertThat(served.assertRight(3)).hasSize(1);
  }

  private static Put other(byte[] value) {
    return new Put(ROW).addColumn(FAMILY, OTHER, value);
  }

  private static void write(ServedTable served, Put put) {
    try (Table table = served.table()) {
      table.put(put);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
