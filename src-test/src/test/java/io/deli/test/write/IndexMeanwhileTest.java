package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.Audit;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.HeldConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes that were planned before an index was there, and reach the base table when whoever builds
 * it has waited for their definitions to expire: nobody will look at their rows any more.
 */
class IndexMeanwhileTest {
  private static final long LEASE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(DeliSettings.DEFINITIONS_LEASE.fallback());

  /** A write of values to the indexed column. */
  private interface Write {
    void by(HeldConnection connection, TableName name, String row) throws Exception;
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v"));
  }

  private static Delete deleteOther(String row) {
    return new Delete(Bytes.toBytes(row)).addColumns(FAMILY, OTHER);
  }

  private static Write blocking(Past past) {
    return (connection, name, row) -> {
      try (DeliTable table = connection.getTable(name)) {
        past.by(table, row);
      }
    };
  }

  private interface Past {
    void by(DeliTable table, String row) throws Exception;
  }

  private static Write async(Later later) {
    return (connection, name, row) ->
        later.by(connection.getAsyncTable(name), row).get(60, TimeUnit.SECONDS);
  }

  private interface Later {
    CompletableFuture<?> by(AsyncDeliTable table, String row) throws Exception;
  }

  private static Map<String, Write> writes() {
    Map<String, Write> writes = new TreeMap<>();
    writes.put("put", blocking((table, row) -> table.put(put(row))));
    writes.put("list", blocking((table, row) -> table.put(List.of(put(row), put(row + "2")))));
    writes.put(
        "batch",
        blocking(
            (table, row) -> table.batch(List.of(put(row), deleteOther(row + "2")), new Object[2])));
    writes.put(
        "mutations",
        blocking(
            (table, row) -> table.mutateRow(RowMutations.of(List.of(deleteOther(row), put(row))))));
    writes.put(
        "condition",
        blocking(
            (table, row) -> assertThat(table.checkAndMutate(ifNew(row)).isSuccess()).isTrue()));
    writes.put(
        "append",
        blocking(
            (table, row) ->
                table.append(
                    new Append(Bytes.toBytes(row))
                        .addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v")))));
    writes.put("async put", async((table, row) -> table.put(put(row))));
    writes.put(
        "async list", async((table, row) -> table.putAll(List.of(put(row), put(row + "2")))));
    writes.put("async condition", async((table, row) -> table.checkAndMutate(ifNew(row))));
    writes.put(
        "mutator",
        (connection, name, row) -> {
          try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
            mutator.mutate(List.of(put(row), put(row + "2")));
          }
        });
    return writes;
  }

  private static CheckAndMutate ifNew(String row) {
    return CheckAndMutate.newBuilder(Bytes.toBytes(row))
        .ifNotExists(FAMILY, QUALIFIER)
        .build(put(row));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteIsAcknowledgedWithTheEntriesOfAnIndexThatCameMeanwhile(boolean otherIndex)
      throws Exception {
    writeWhileAnIndexComes(otherIndex, false);
  }

  /** The base table has it all the same, and nobody else will make its entries. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteWhoseAnswerIsLostIsNotHalfVisible(boolean otherIndex) throws Exception {
    writeWhileAnIndexComes(otherIndex, true);
  }

  private static void writeWhileAnIndexComes(boolean otherIndex, boolean deaf) throws Exception {
    TestTable written =
        TestTable.create(
            "meanwhile",
            3,
            otherIndex ? List.of(IndexDefinition.on("by_o", Column.of(FAMILY, OTHER))) : List.of());
    if (deaf) {
      // Else nothing is applied: the regions that open with the index refuse what was drawn before.
      written.admittingAll();
    }
    Map<String, Write> writes = writes();
    ExecutorService threads = Executors.newFixedThreadPool(writes.size());
    try (HeldConnection connection = HeldConnection.open(MiniCluster.configuration())) {
      List<CompletableFuture<Void>> underWay = new ArrayList<>();
      writes.forEach(
          (row, write) ->
              underWay.add(
                  CompletableFuture.runAsync(
                      () -> run(write, connection, written.name(), row), threads)));
      Eventually.holds(() -> assertThat(connection.waiting()).isEqualTo(writes.size()));
      DeliAdmin.of(MiniCluster.connection()).createIndex(written.name(), TestTable.byQ());
      connection.leap(LEASE_NANOS);
      if (deaf) {
        connection.releaseDeaf();
      } else {
        connection.release();
      }
      for (CompletableFuture<Void> each : underWay) {
        assertThat(failed(each)).isEqualTo(deaf);
      }
    } finally {
      threads.shutdown();
    }
    Audit audit = Audit.of(MiniCluster.connection(), written.name());
    assertThat(audit.versions()).isEqualTo(writes.size() + 3);
    assertThat(audit.missing()).isEmpty();
    assertThat(audit.garbage()).isEmpty();
  }

  private static boolean failed(CompletableFuture<Void> write) {
    return write.handle((done, error) -> error != null).orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static void run(Write write, HeldConnection connection, TableName name, String row) {
    try {
      write.by(connection, name, row);
    } catch (Exception e) {
      throw new AssertionError(row, e);
    }
  }
}
