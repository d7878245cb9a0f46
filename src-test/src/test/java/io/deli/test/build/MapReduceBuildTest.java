package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.index.IndexState;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds by jobs of Hadoop's local runner. */
class MapReduceBuildTest {
  @ParameterizedTest
  @ValueSource(strings = {"deferred", "lazy"})
  void buildsWhileWritersWrite(String strategy) throws Exception {
    try (BuiltTable table = BuiltTable.create("job", "row5")) {
      table.assertBuiltAmidWriters(strategy, each -> each.buildByJob(INDEX));
    }
  }

  @Test
  void writesWhatPutsWrite() throws Exception {
    FilesBuildTest.assertWritesWhatPutsWrite(table -> table.buildByJob(FilesBuildTest.BY_FILES));
  }

  /** Two versions of one value are two cells of one row. */
  @Test
  void aRowOfTheIndexMayHaveSeveralEntries() throws Exception {
    try (BuiltTable table = BuiltTable.create("job_row", "m")) {
      for (String row : List.of("a", "z")) {
        table.putPlain(List.of(put(row, 5, "v"), put(row, 6, "v"), put(row + "1", 5, "v")));
      }
      table.createIndex(BuiltTable.definition("deferred"));
      assertThat(table.buildByJob(INDEX).entries()).isEqualTo(6);
      assertThat(TestTable.cells(table.plain(), table.indexTable(), new Scan()))
          .as("newest of each row")
          .hasSize(4);
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(6);
    }
  }

  /** A version dies, and its entry is deleted, when it was read and its file is not loaded yet. */
  @Test
  void aTombstoneFromWithinTheJobMasksTheDeadOnly() throws Exception {
    try (BuiltTable table = BuiltTable.create("job_masked");
        DeliTable rows = table.connection().getTable(table.name())) {
      table.putPlain(List.of(put("row", 5, "v"), put("z", 5, "stop")));
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.Stop stop = UserTokenizer.waitAt("stop");
      CompletableFuture<BuildReport> build = table.startJob(ProgressListener.NONE);
      stop.awaitReached();
      rows.delete(new Delete(Bytes.toBytes("row"), 5));
      MiniCluster.utility().flush(table.name());
      MiniCluster.utility().compact(table.name(), true);
      rows.put(put("row", 5, "v"));
      stop.goOn().countDown();
      assertThat(build.get(2, TimeUnit.MINUTES).entries()).isEqualTo(2);
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(2);
    }
  }

  @Test
  void goesOnAfterThreadsAndAfterAJobThatFailed() throws Exception {
    try (BuiltTable table = BuiltTable.create("job_resumed", "x")) {
      table.fill("m", 1_000);
      table.putPlain(List.of(put("a", "a"), put("w", "w"), put("x0", "x0"), put("z", "z")));
      table.createIndex(BuiltTable.stoppable());
      UserTokenizer.failAt("w");
      // So slowly that it writes down what is done before it gets there.
      assertThatThrownBy(() -> table.build(new BuildOptions(1, 500)))
          .hasMessageContaining("a bug of the user's");
      UserTokenizer.failAt("x0");
      assertThatThrownBy(() -> table.buildByJob(INDEX))
          .hasMessageContainingAll("failed", "row 'x0'", "a bug of the user's");
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      assertThat(table.staged()).isEmpty();
      UserTokenizer.work();
      BuildReport report = table.buildByJob(INDEX);
      assertThat(report.resumed()).as("ranges that threads did").isPositive();
      assertThat(report.rows()).isBetween(3L, 1_003L);
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.assertExactWhenCollected();
      assertThat(table.staged()).isEmpty();
      try (Admin admin = MiniCluster.connection().getAdmin()) {
        TableName ledger = TableName.valueOf(table.name() + "." + INDEX + ".build");
        assertThat(admin.tableExists(ledger)).isFalse();
      }
    }
  }

  @Test
  void refusesAStrategyThatFoldsAsItWrites() throws Exception {
    try (BuiltTable table = BuiltTable.filled("job_refused", 3)) {
      table.createIndex(BuiltTable.definition("eager"));
      assertThatThrownBy(() -> table.buildByJob(INDEX))
          .hasMessageContainingAll("strategy 'eager'", "build it without --mapreduce");
      assertThat(table.admin().buildProgress(table.name(), INDEX)).isEmpty();
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
    }
  }

  /** On the class path that {@code bin/deli} has. */
  @Test
  void theCommandBuildsByAJob(@TempDir Path directory) throws Exception {
    BuiltTable.writeSite(directory);
    try (BuiltTable table = BuiltTable.filled("job_command", 100)) {
      table.createIndexByJob(directory);
    }
  }
}
