package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.CollectReport;
import io.deli.client.DeliAdmin;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/** A collection, or a count, goes by what indexes there are when it comes to them. */
class CollectAmidBuildsTest {
  private interface Change {
    void run() throws Exception;
  }

  private static BuiltTable indexed(String stem) throws IOException {
    BuiltTable table = BuiltTable.create(stem);
    table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
    table.admin().createIndex(table.name(), IndexDefinition.on("other", BuiltTable.COLUMN));
    table.write("row", 10, "old");
    table.write("row", 10, "new");
    return table;
  }

  /** Has something happen once, as a stage begins. */
  private static ProgressListener at(String awaited, Change change) {
    AtomicBoolean met = new AtomicBoolean();
    return (stage, done, total) -> {
      if (stage.equals(awaited) && met.compareAndSet(false, true)) {
        try {
          change.run();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private static CollectReport collect(BuiltTable table, ProgressListener progress)
      throws IOException {
    CollectReport report = table.admin().collect(table.name(), progress);
    assertThat(report.left()).isEmpty();
    return report;
  }

  @Test
  void anIndexThatIsRebuiltMeanwhile_isCollected() throws IOException {
    try (BuiltTable table = indexed("collected")) {
      CollectReport report = collect(table, at("compacting " + table.name(), table::build));
      assertThat(report.bytesAfter()).containsOnlyKeys(INDEX, "other");
      assertThat(table.audit().garbage()).isEmpty();
    }
  }

  @Test
  void aTableThatARebuildDeletesMeanwhile_isPassedOver() throws Exception {
    try (BuiltTable table = indexed("superseded")) {
      CountDownLatch switched = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      ProgressListener slow =
          at(
              "waiting for readers to leave the former table of index " + INDEX,
              () -> {
                switched.countDown();
                goOn.await();
              });
      CompletableFuture<?> built =
          Background.call(
              () -> table.admin().build(table.name(), INDEX, BuildOptions.DEFAULT, slow));
      try {
        assertThat(switched.await(1, TimeUnit.MINUTES)).isTrue();
        CollectReport report =
            collect(
                table,
                at(
                    "compacting " + IndexDefinitions.indexTable(table.name(), INDEX, 2),
                    () -> {
                      goOn.countDown();
                      built.get(1, TimeUnit.MINUTES);
                    }));
        assertThat(report.bytesAfter()).containsOnlyKeys(INDEX, "other");
      } finally {
        goOn.countDown();
      }
    }
  }

  @Test
  void anIndexThatIsDroppedMeanwhile_isPassedOver() throws IOException {
    try (BuiltTable table = indexed("dropped")) {
      CollectReport report =
          collect(
              table,
              at(
                  "entries of index " + INDEX + " swept",
                  () -> table.admin().dropIndex(table.name(), INDEX)));
      assertThat(report.bytesAfter()).containsOnlyKeys("other");
    }
  }

  /** Has something happen just before the index's first table is read. */
  private static IndexStatistics countAt(BuiltTable table, Change change) throws IOException {
    AtomicBoolean met = new AtomicBoolean();
    Connection meanwhile =
        Proxies.of(
            Connection.class,
            table.connection(),
            "getTable",
            (self, it, of) -> {
              if (table.indexTable().equals(of[0]) && met.compareAndSet(false, true)) {
                change.run();
              }
              return Proxies.call(table.connection(), it, of);
            });
    try {
      return DeliAdmin.of(meanwhile).statistics(table.name(), INDEX, 5, ProgressListener.NONE);
    } finally {
      assertThat(met).isTrue();
    }
  }

  @Test
  void anIndexThatIsRebuiltMeanwhile_isCounted() throws IOException {
    try (BuiltTable table = indexed("counted")) {
      assertThat(countAt(table, table::build).entries()).isPositive();
    }
  }

  @Test
  void anIndexThatIsDroppedOrLosesItsTableMeanwhile_isToldOf() throws IOException {
    try (BuiltTable table = indexed("uncounted");
        Admin hbase = MiniCluster.connection().getAdmin()) {
      assertThatThrownBy(() -> countAt(table, () -> hbase.disableTable(table.indexTable())))
          .hasMessageContainingAll(
              table.name().toString(), table.indexTable() + " is disabled", "deli disable-index");
      hbase.enableTable(table.indexTable());
      assertThatThrownBy(() -> countAt(table, () -> table.admin().dropIndex(table.name(), INDEX)))
          .hasMessageContaining("has no index '" + INDEX + "'");
    }
  }
}
