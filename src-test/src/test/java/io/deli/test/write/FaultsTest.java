package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliTable;
import io.deli.client.WriteRefusedException;
import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.FaultyConnection;
import io.deli.test.fault.FaultyTableClients;
import io.deli.test.fault.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that goes wrong at any of its steps, or takes too long. */
class FaultsTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  @AutoClose private FaultyConnection connection;
  private TestTable written;
  private DeliTable table;
  private FaultyTableClients ports;

  @BeforeEach
  void open() throws Exception {
    connection = FaultyConnection.open();
    written = TestTable.create("faults", 3);
    table = connection.getTable(written.name());
    ports = connection.ports();
  }

  @Test
  void aListNamesTheRowsThatFailed() throws Exception {
    ports.suffer(Faults.on(Way.INDEX, Fault.LOST));
    List<Put> puts = List.of(put("a", "1"), put("b", "2"));
    Object[] results = new Object[2];
    assertThatThrownBy(() -> table.batch(puts, results))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> {
              assertThat(e.getNumExceptions()).isEqualTo(2);
              assertThat(e.getRow(1).getRow()).isEqualTo(Bytes.toBytes("b"));
              assertThat(e.getCause(0)).hasMessageContaining("injected");
            });
    assertThat(results).allMatch(IOException.class::isInstance);
    written.assertEmpty();
  }

  /** It is cut to what may be under way; the rest must not be refused when that is written. */
  @Test
  void aLongListGoesByTheDefinitionsThatItBeganWith() throws Exception {
    Configuration narrow = MiniCluster.configuration();
    narrow.setInt(DeliSettings.WRITE_QUEUE.key(), 8);
    CompletableFuture<Void> gate = new CompletableFuture<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      puts.add(put("row" + i, "v").addColumn(FAMILY, OTHER, Bytes.toBytes("no number")));
    }
    try (FaultyConnection own = FaultyConnection.open(narrow);
        DeliTable same = own.getTable(written.name())) {
      own.ports().holdBase(gate);
      CompletableFuture<Void> list = Background.run(() -> same.put(puts));
      Eventually.holds(
          () ->
              assertThat(own.ports().log())
                  .containsExactlyInAnyOrder("index 2", "base 2", "index 2"));
      DeliAdmin.of(MiniCluster.connection())
          .createIndex(
              written.name(),
              IndexDefinition.on("by_number", Column.of(FAMILY, OTHER)).withType(ValueType.INT));
      own.leap(TimeUnit.MILLISECONDS.toNanos(DeliSettings.DEFINITIONS_LEASE.fallback() + 1));
      assertThatThrownBy(() -> same.put(puts)).isInstanceOf(WriteRefusedException.class);
      gate.complete(null);
      list.get(60, TimeUnit.SECONDS);
    }
    assertThat(written.justifiedByDead()).hasSize(8);
    written.assertIndexed();
  }

  @Test
  void aFalseConditionTakesItsEntriesBack() throws Exception {
    table.put(put("row", "v"));
    Configuration patient = MiniCluster.configuration();
    patient.setInt(HConstants.HBASE_CLIENT_PAUSE, 10_000);
    try (FaultyConnection own = FaultyConnection.open(patient);
        DeliTable same = own.getTable(written.name())) {
      assertThat(same.checkAndMutate(ifEquals("no", "w")).isSuccess()).isFalse();
      Eventually.holds(() -> assertThat(written.entries()).hasSize(1));
    }
    written.assertIndexed();
  }

  @Test
  void aConditionFalseByItsOwnFirstRequestKeepsItsEntries() throws Exception {
    table.put(put("row", "v"));
    HookObserver.on(written.name())
        .once(
            Moment.CONDITIONAL_DONE,
            (region, result) -> {
              throw new IOException("lost by the test");
            });
    // HBase's client asks again, and then the value is no longer the old one.
    assertThat(table.checkAndMutate(ifEquals("v", "w")).isSuccess()).isFalse();
    assertThat(written.justifiedByDead()).hasSize(2);
    assertThat(ports.log()).endsWith("base 1");
    written.assertIndexed();
  }

  private static CheckAndMutate ifEquals(String old, String value) {
    return CheckAndMutate.newBuilder(ROW)
        .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes(old))
        .build(put("row", value));
  }

  @Test
  void aWriteBeyondHalfTheGraceWritesItsEntriesAgain() throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ports.holdBase(gate);
    CompletableFuture<Void> put = connection.getAsyncTable(written.name()).put(put("row", "v"));
    Eventually.holds(() -> assertThat(written.entries()).hasSize(1));
    // A reader that finds the entry too old, with nothing behind it, repairs it.
    written.deleteEntries();
    connection.leap(TimeUnit.MINUTES.toNanos(5) + 1);
    gate.complete(null);
    put.get(30, TimeUnit.SECONDS);
    written.assertIndexed();
    assertThat(TestTable.cells(written.index().table()))
        .allMatch(cell -> cell.getQualifierLength() > 0, "written as another write");
  }

  @Test
  void aWriteWithinTheBoundWritesItsEntriesOnce() throws Exception {
    table.put(put("row", "v"));
    table.put(List.of(put("a", "v"), put("b", "v")));
    assertThat(ports.log()).containsExactly("index 1", "base 1", "index 2", "base 2");
  }

  @Test
  void aLateListAndALateConditionWriteTheirEntriesAgain() throws Exception {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    ports.holdBase(gate);
    List<CompletableFuture<Void>> puts =
        connection.getAsyncTable(written.name()).put(List.of(put("a", "v"), put("b", "v")));
    CompletableFuture<?> conditional =
        connection
            .getAsyncTable(written.name())
            .checkAndMutate(
                CheckAndMutate.newBuilder(ROW)
                    .ifNotExists(FAMILY, QUALIFIER)
                    .build(put("row", "v")));
    Eventually.holds(() -> assertThat(written.entries()).hasSize(3));
    written.deleteEntries();
    connection.leap(TimeUnit.MINUTES.toNanos(5) + 1);
    gate.complete(null);
    CompletableFuture.allOf(puts.get(0), puts.get(1), conditional).get(30, TimeUnit.SECONDS);
    assertThat(written.justifiedByDead()).hasSize(3);
    written.assertIndexed();
  }

  @Test
  void aMutatorWritesEntriesWhileTheBatchBeforeGoesToTheBase() throws Exception {
    List<RetriesExhaustedWithDetailsException> heard = new ArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(written.name())
            .setMaxMutations(2)
            .listener((failure, mutator) -> heard.add(failure));
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      FaultyTableClients own = connection.mutatorPorts();
      CompletableFuture<Void> gate = new CompletableFuture<>();
      own.holdBase(gate);
      mutator.mutate(List.<Mutation>of(put("a", "1"), put("b", "1")));
      mutator.mutate(List.<Mutation>of(put("c", "2"), put("d", "2")));
      // The second batch's entries are there although the first is not in the base.
      Eventually.holds(() -> assertThat(written.entries()).hasSize(4));
      Eventually.holds(
          () -> assertThat(own.log()).containsExactlyInAnyOrder("index 2", "index 2", "base 2"));
      assertThat(written.justifiedByDead()).isEmpty();
      gate.complete(null);
      mutator.flush();
      assertThat(written.justifiedByDead()).hasSize(4);
      assertThat(heard).isEmpty();
      own.suffer(Faults.on(Way.BASE, Fault.LOST));
      mutator.mutate(put("e", "3"));
      mutator.flush();
    }
    assertThat(heard).hasSize(1);
    assertThat(heard.get(0).getRow(0).getRow()).isEqualTo(Bytes.toBytes("e"));
  }
}
