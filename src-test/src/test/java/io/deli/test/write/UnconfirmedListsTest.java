package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.Audit;
import io.deli.strategy.Index;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.HeldConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Of a list that was written to a table without index, nothing is told as done before it has the
 * entries of an index that came meanwhile.
 */
class UnconfirmedListsTest {
  private static final long LEASE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(DeliSettings.DEFINITIONS_LEASE.fallback());
  private static final byte[] ROW = Bytes.toBytes("row");

  private static final IndexDefinition INDEX = TestTable.byQ();

  private TableName name;

  @BeforeEach
  void create() throws IOException {
    name = TestTable.create("unconfirmed", 3, List.of()).name();
  }

  /** A write of the test's. */
  private interface Write {
    void by(DeliTable table) throws Exception;
  }

  /** What happens once the index has come. */
  private interface Meanwhile {
    void happens() throws IOException;
  }

  private void disableIndex() throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.disableTable(Index.of(name, INDEX).table());
    }
  }

  private static Put put() {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v"));
  }

  /** Writes when an index has come, and the time is over in which its builder looks for writes. */
  private void write(Meanwhile meanwhile, Write write) throws Exception {
    try (HeldConnection connection = HeldConnection.open(MiniCluster.configuration());
        DeliTable table = connection.getTable(name)) {
      CompletableFuture<Void> underWay = Background.run(() -> write.by(table));
      Eventually.holds(() -> assertThat(connection.waiting()).isEqualTo(1));
      DeliAdmin.of(MiniCluster.connection()).createIndex(name, INDEX);
      meanwhile.happens();
      connection.leap(LEASE_NANOS);
      connection.release();
      underWay.get(60, TimeUnit.SECONDS);
    }
  }

  private List<?> missing() {
    try {
      return Audit.of(MiniCluster.connection(), name).missing();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallbackIsCalledWhenTheEntriesAreThere() throws Exception {
    List<Object> missing = Collections.synchronizedList(new ArrayList<>());
    List<Object> told = Collections.synchronizedList(new ArrayList<>());
    write(
        () -> {},
        table ->
            table.<Result>batchCallback(
                List.of(put()),
                new Object[1],
                (region, row, result) -> {
                  told.add(result);
                  missing.addAll(missing());
                }));
    assertThat(told).hasSize(1);
    assertThat(missing).isEmpty();
  }

  @Test
  void neitherResultsNorCallbackTellOfWhatIsNotConfirmed() throws Exception {
    List<Object> told = Collections.synchronizedList(new ArrayList<>());
    Object[] results = new Object[1];
    write(
        this::disableIndex,
        table ->
            assertThatThrownBy(
                    () ->
                        table.<Result>batchCallback(
                            List.of(put()), results, (region, row, result) -> told.add(result)))
                .isInstanceOf(IOException.class));
    assertThat(told).isEmpty();
    assertThat(results[0]).isInstanceOf(IOException.class);
  }

  @Test
  void aDeleteStaysInItsListUntilItIsConfirmed() throws Exception {
    List<Delete> deletes = new ArrayList<>(List.of(new Delete(ROW).addColumns(FAMILY, OTHER)));
    write(
        () -> {
          disableIndex();
          try (Table plain = MiniCluster.connection().getTable(name)) {
            plain.put(put());
          }
        },
        table -> assertThatThrownBy(() -> table.delete(deletes)).isInstanceOf(IOException.class));
    assertThat(deletes).hasSize(1);
  }
}
