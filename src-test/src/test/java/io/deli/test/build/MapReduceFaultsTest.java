package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildReport;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.IndexState;
import io.deli.test.cluster.Gate;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.tools.mapreduce.MapReduceEngine;
import io.deli.tools.mapreduce.VerifyJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds by jobs whose builder dies, or whose files do not get into the index table at once. */
class MapReduceFaultsTest {
  private static final int ROWS = 8;

  /** Nothing is missing, and nothing is there that should not, or twice. */
  private static void assertVerified(BuiltTable table, int entries) throws IOException {
    assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
    VerifyReport report =
        table.admin().verify(table.name(), INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE);
    assertThat(report.found()).isEmpty();
    assertThat(report.entries()).isEqualTo(entries);
    table.assertComplete();
  }

  /** One value is too long. */
  @Test
  void buildLoadsTheFilesOfAJobWhoseCountersAreLost() throws Exception {
    try (BuiltTable table = BuiltTable.filled("job_uncounted", ROWS);
        DeliConnection connection =
            MiniCluster.connect(ForgetfulRunner.asked(BuiltTable.configuration()))) {
      table.putPlain(List.of(put("long", "v".repeat(HConstants.MAX_ROW_LENGTH))));
      table.createIndex(BuiltTable.definition("deferred"));
      DeliAdmin admin = DeliAdmin.of(connection);

      BuildReport report =
          admin.build(table.name(), INDEX, new MapReduceEngine(), ProgressListener.NONE);

      assertThat(report.rows()).as("of unknown number").isZero();
      assertThat(report.refused()).as("at least").isEqualTo(1);
      assertThat(report.refusal().orElseThrow()).contains("long");
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      assertThat(table.audit().missing().size()).as("the refused one").isEqualTo(1);
      assertThatThrownBy(
              () ->
                  admin.verify(
                      table.name(),
                      INDEX,
                      VerifyOptions.DEFAULT,
                      new VerifyJob(),
                      ProgressListener.NONE))
          .hasMessageContaining("history server");
    }
  }

  /** Once while its job reads, and once while a region server is about to load its files. */
  @Test
  void anotherBuildGoesOnWhenBuildersWereKilled(@TempDir Path directory) throws Exception {
    BuiltTable.writeSite(directory);
    try (BuiltTable table = BuiltTable.filled("job_killed", ROWS);
        DeliTable rows = table.connection().getTable(table.name())) {
      HookObserver reading = HookObserver.on(table.name());
      table.createIndex(BuiltTable.definition("deferred"));
      killAt(table, reading, Moment.SCAN, Scan::isRaw, directory).open();
      rows.put(put("row0001", "new"));
      HookObserver loading = HookObserver.on(table.indexTable());
      Gate late = killAt(table, loading, Moment.LOAD, files -> true, directory);
      assertThat(table.staged()).as("what the dead builder left").hasSize(1);
      rows.delete(new Delete(Bytes.toBytes("row0002")));

      assertThat(table.buildByJob(INDEX).entries()).isPositive();

      assertThat(table.staged()).isEmpty();
      table.assertExactWhenCollected();
      // The region server goes on with the request of the dead, whose files are gone.
      CountDownLatch over = new CountDownLatch(1);
      loading.each(Moment.LOAD_OVER, (region, files) -> over.countDown());
      late.open();
      assertThat(over.await(2, TimeUnit.MINUTES)).isTrue();
      // Of one row there are two versions, and of one none.
      assertVerified(table, ROWS);
      assertThat(table.audit().garbage()).isEmpty();
    }
  }

  /** Returns what holds the request that the process died of. */
  private static <T> Gate killAt(
      BuiltTable table, HookObserver incidents, Moment<T> moment, Predicate<T> such, Path directory)
      throws Exception {
    Gate hold = new Gate();
    incidents.each(moment, such, hold);
    try {
      table.killBuildAt(hold, directory, "--mapreduce");
    } finally {
      incidents.cancel(moment);
    }
    assertThat(table.state()).isEqualTo(IndexState.BUILDING);
    return hold;
  }

  /** Entries of the part that was loaded are deleted with their versions, and not loaded again. */
  @Test
  void theNextBuildCompletesWhatWasLoadedInPart() throws Exception {
    try (BuiltTable table = BuiltTable.filled("job_part", ROWS);
        DeliTable rows = table.connection().getTable(table.name())) {
      table
          .admin()
          .createIndex(
              table.name(),
              BuiltTable.definition("deferred"),
              CreateIndexOptions.DEFAULT
                  .withExistingRows(ExistingRows.BUILD)
                  .withSplits(List.of(Bytes.toBytes("row0004"))));
      HookObserver incidents = HookObserver.on(table.indexTable());
      incidents.each(
          Moment.LOAD,
          (region, files) -> {
            if (region.getRegionInfo().getStartKey().length > 0) {
              throw new DoNotRetryIOException("denied by the test");
            }
          });
      assertThatThrownBy(() -> table.buildByJob(INDEX))
          .hasMessageContainingAll(
              table.indexTable().getNameAsString(), "has not taken all files", "the next build");
      assertThat(table.state()).isEqualTo(IndexState.BUILDING);
      assertThat(table.staged()).isEmpty();
      assertThat(table.audit().missing()).as("loaded in part").hasSize(ROWS / 2);
      rows.delete(new Delete(Bytes.toBytes("row0001")));
      rows.put(List.of(put("row0002", "new"), put("row0006", "new")));
      rows.put(List.of(put("row0002", "newer"), put("row0006", "newer")));
      table.admin().collect(table.name(), ProgressListener.NONE);
      incidents.cancel(Moment.LOAD);

      table.buildByJob(INDEX);

      // Of two rows there are two versions.
      assertVerified(table, ROWS + 1);
      table.assertExactWhenCollected();
    }
  }

  /**
   * The index table's region splits while the job runs; the table is disabled when the job is done;
   * both regions split when they are about to load; and an answer is lost, so that one loads twice.
   */
  @Test
  void filesGetToWhereTheyBelongWhateverBefallsTheIndexTable() throws Exception {
    try (BuiltTable table = BuiltTable.filled("job_befallen", ROWS);
        DeliTable rows = table.connection().getTable(table.name());
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.createIndex(BuiltTable.stoppable());
      HookObserver incidents = HookObserver.on(table.indexTable());
      Gate hold = new Gate();
      incidents.each(Moment.LOAD, hold);
      AtomicInteger loads = loseFirstAnswer(incidents);
      UserTokenizer.Stop stop = UserTokenizer.waitAt("row0007");
      CompletableFuture<BuildReport> build =
          table.startJob(
              (stage, done, total) -> {
                if (stage.startsWith("loading")) {
                  operate(() -> admin.disableTable(table.indexTable()));
                } else if (stage.startsWith("waiting for all regions")
                    && isDisabled(admin, table.indexTable())) {
                  operate(() -> admin.enableTable(table.indexTable()));
                }
              });
      stop.awaitReached();
      table.splitIndexTable("row0004");
      stop.goOn().countDown();
      assertThat(hold.arrives()).isTrue();
      table.splitIndexTable("row0002");
      table.splitIndexTable("row0006");
      hold.open();
      assertThat(build.get(2, TimeUnit.MINUTES).entries()).isEqualTo(ROWS);
      assertThat(admin.getRegions(table.indexTable())).hasSize(4);
      assertThat(loads).hasValueGreaterThan(4);
      assertVerified(table, ROWS);
      rows.delete(new Delete(Bytes.toBytes("row0001")));
      table.assertExactWhenCollected();
    }
  }

  private static AtomicInteger loseFirstAnswer(HookObserver incidents) {
    AtomicInteger loads = new AtomicInteger();
    incidents.each(
        Moment.LOADED,
        (region, files) -> {
          if (loads.incrementAndGet() == 1) {
            throw new IOException("the answer is lost");
          }
        });
    return loads;
  }

  /** What an operator does. */
  private interface Operation {
    void run() throws IOException;
  }

  private static void operate(Operation operation) {
    try {
      operation.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isDisabled(Admin admin, TableName table) {
    try {
      return admin.isTableDisabled(table);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Its region is nowhere for a moment, and then loads the file twice. */
  @Test
  void listsAreLoadedTwiceAndAreThereOnce() throws Exception {
    try (BuiltTable table = BuiltTable.filled("job_lists", ROWS);
        Admin admin = MiniCluster.connection().getAdmin()) {
      table.createIndex(BuiltTable.definition("lazy"));
      AtomicInteger loads = loseFirstAnswer(HookObserver.on(table.indexTable()));
      byte[] region = admin.getRegions(table.indexTable()).get(0).getRegionName();
      ProgressListener operator =
          (stage, done, total) -> {
            if (stage.startsWith("loading")) {
              operate(() -> admin.unassign(region));
              CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                  .execute(() -> operate(() -> admin.assign(region)));
            }
          };
      assertThat(table.buildByJob(INDEX, operator).entries()).isEqualTo(ROWS);
      assertThat(loads).hasValueGreaterThan(1);
      assertVerified(table, ROWS);
    }
  }
}
