package io.deli.test.lifecycle;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.lifecycle.OperatedTable.hbase;
import static io.deli.test.lifecycle.OperatedTable.ofTwoRows;
import static io.deli.test.lifecycle.OperatedTable.operate;
import static io.deli.test.lifecycle.OperatedTable.rows;
import static io.deli.test.lifecycle.OperatedTable.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Finding;
import io.deli.client.IndexUnavailableException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tables that come back from snapshots on masters with DELI's observer; see docs/operations.md. */
class RestoredTablesTest {
  /** A table and its snapshot, which has a version whose entry was collected since. */
  private record Changed(OperatedTable table, String taken) {
    static Changed create() throws IOException {
      OperatedTable table = ofTwoRows("restored");
      String taken = OperatedTable.snapshot(table.name());
      table.write("r1", "new");
      table.collect();
      return new Changed(table, taken);
    }

    /** Without HBase's own snapshot of what is there. */
    void restore() throws IOException {
      hbase().restoreSnapshot(taken, false);
    }

    /** A table restored with the index table disabled, as the master's observer wants it. */
    static OperatedTable restoredAside() throws IOException {
      Changed changed = create();
      hbase().disableTable(changed.table.name());
      hbase().disableTable(changed.table.indexTable());
      changed.restore();
      return changed.table;
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      ThrowingCallable restoration, OperatedTable table) {
    return assertThatThrownBy(restoration)
        .hasStackTraceContaining(DoNotRetryIOException.class.getName())
        .hasStackTraceContaining("table " + table.name() + " would have rows again")
        .hasStackTraceContaining("disable '" + table.indexTable() + "'");
  }

  private static void assertRefusedUntilBuilt(ThrowingCallable restoration, OperatedTable table) {
    assertRefused(restoration, table)
        .hasStackTraceContaining("deli disable-index " + table.name() + " " + INDEX)
        .hasStackTraceContaining("deli build " + table.name() + " " + INDEX);
  }

  @Test
  void aTableIsNotRestoredBesideAnIndexInUse() throws IOException {
    Changed changed = Changed.create();
    OperatedTable table = changed.table();
    hbase().disableTable(table.name());
    assertRefusedUntilBuilt(changed::restore, table);
    hbase().enableTable(table.name());
    assertThat(rows(table.find("new"))).containsExactly("r1");
    table.assertExact();
  }

  /** Clients go by what its descriptor says now, whatever the snapshot's says. */
  @Test
  void norIsATableFromBeforeItsIndex() throws IOException {
    OperatedTable table = OperatedTable.ofNoIndex("before");
    String taken = snapshot(table.name());
    table.createIndex(index -> index);
    hbase().disableTable(table.name());
    assertRefused(() -> hbase().restoreSnapshot(taken, false), table)
        .hasStackTraceContaining("deli drop-index " + table.name() + " " + INDEX);
    hbase().disableTable(table.indexTable());
    hbase().restoreSnapshot(taken, false);
    hbase().enableTable(table.name());
    List<IndexDefinition> indexes = operate(admin -> admin.list(table.name()));
    assertThat(indexes).isEmpty();
  }

  /** Nobody misses a row before the index is built anew, even if no other step is taken in time. */
  @Test
  void aTableIsRestoredWhileItsIndexTableIsDisabled() throws IOException {
    OperatedTable table = Changed.restoredAside();
    hbase().enableTable(table.name());
    for (ThrowingCallable use :
        new ThrowingCallable[] {
          () -> table.find("old"),
          () -> table.write("r3", "new"),
          () -> table.writeBoth("r3", "r4", "new")
        }) {
      assertThatThrownBy(use)
          .hasMessageContainingAll(
              table.indexTable() + " is disabled", "deli disable-index", "deli build");
    }
    table.disableIndex();
    table.write("r2", "new");
    assertThatThrownBy(() -> table.find("old"))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll("DISABLED", "deli build");

    table.build();

    assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
    assertThat(rows(table.find("old"))).containsExactly("r1");
    assertThat(rows(table.find("new"))).containsExactly("r2");
    table.assertAnswersLikeAScan(Long.MAX_VALUE, 1);
  }

  /** As it is without the master's observer: nothing tells but a comparison. */
  @Test
  void whatAnIndexLacksThatWasEnabledAgainIsFoundAndWrittenByVerify() throws IOException {
    OperatedTable table = Changed.restoredAside();
    hbase().enableTable(table.indexTable());
    hbase().enableTable(table.name());
    assertThat(table.find("old")).isEmpty();
    assertThat(table.find("new")).isEmpty();

    VerifyReport report = table.verify(VerifyOptions.DEFAULT.withRepair());
    assertThat(report.count(Finding.Kind.MISSING)).isEqualTo(1);
    assertThat(report.written()).isEqualTo(1);
    assertThat(rows(table.find("old"))).containsExactly("r1");
  }

  /** Under its own name, beside the index table that was left. */
  @Test
  void aDroppedTableDoesNotComeBackToItsOldIndexTable() throws IOException {
    Changed changed = Changed.create();
    OperatedTable table = changed.table();
    hbase().disableTable(table.name());
    hbase().deleteTable(table.name());
    assertRefusedUntilBuilt(() -> hbase().cloneSnapshot(changed.taken(), table.name()), table);
    assertThat(hbase().tableExists(table.name())).isFalse();

    hbase().disableTable(table.indexTable());
    hbase().deleteTable(table.indexTable());
    hbase().cloneSnapshot(changed.taken(), table.name());
    assertThatThrownBy(() -> table.find("old"))
        .hasMessageContaining(table.indexTable() + " is missing");
    table.disableIndex();
    table.build();
    assertThat(rows(table.find("old"))).containsExactly("r1");
    table.assertExact();
  }

  @Test
  void whatHasNoIndexTableIsRestoredAsEver() throws IOException {
    OperatedTable plain = OperatedTable.ofNoIndex("plain");
    try (Table rows = MiniCluster.connection().getTable(plain.name())) {
      rows.put(TestTable.put("r1", "old"));
      String snapshot = snapshot(plain.name());
      rows.put(TestTable.put("r1", "new"));
      hbase().disableTable(plain.name());
      hbase().restoreSnapshot(snapshot);
      hbase().enableTable(plain.name());
      assertThat(rows.get(new Get(Bytes.toBytes("r1"))).value()).isEqualTo(Bytes.toBytes("old"));
    }

    OperatedTable embedded =
        OperatedTable.create("embedded", family -> family, index -> index.withStrategy("embedded"));
    embedded.write("r1", "old");
    String snapshot = snapshot(embedded.name());
    embedded.write("r1", "new");
    hbase().disableTable(embedded.name());
    hbase().restoreSnapshot(snapshot);
    hbase().enableTable(embedded.name());
    assertThat(rows(embedded.find("old"))).containsExactly("r1");
    assertThat(embedded.find("new")).isEmpty();
  }
}
