package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.client.internal.RegionClient;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import io.deli.service.RegionService;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Builds and verifications of indexes that region servers maintain. */
class ServedBuildTest {
  private static final VerifyOptions ALL = VerifyOptions.DEFAULT.withSamples(100);

  /** So long ago that no writer is under way. */
  private static final long OLD = 1_000;

  private static IndexDefinition served(IndexDefinition definition) {
    return definition.withMaintenance(Maintenance.SERVER);
  }

  @Test
  void areCompleteWhoeverWritesMeanwhile() throws Exception {
    try (BuiltTable table = BuiltTable.create("served", "row3", "row6");
        Writers writers = Writers.startPlain(table, 3, 500)) {
      table.fillSpread(500);
      table.createIndex(served(BuiltTable.definition("deferred")));
      BuildReport report = table.build();
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      assertThat(report.rows()).isGreaterThanOrEqualTo(250);
      assertThat(verify(table, ALL).found().keySet()).isSubsetOf(Kind.OBSOLETE);
      writers.end();
      table.assertComplete();
      table.admin().collect(table.name(), ProgressListener.NONE);
      table.assertComplete();
    }
  }

  /** As it is while the index is being published, when the descriptor has it already. */
  @Test
  void waitForRegionsThatDoNotKnowTheIndexYet() throws Exception {
    try (BuiltTable table = BuiltTable.create("unheard", "x")) {
      table.fill("row", 10);
      table.createIndex(served(BuiltTable.stoppable()));
      haveRegionsKnow(table, unknown -> IndexDefinitions.remove(unknown, INDEX));
      UserTokenizer.Stop stop = UserTokenizer.waitAt("row0005");
      CompletableFuture<BuildReport> build = Background.call(table::buildInOrder);
      stop.awaitReached();
      // Of these rows, the builder looks again at the last one only.
      table.putPlain(List.of(put("a", "late"), put("row0000", "late"), put("z", "late")));
      stop.goOn().countDown();
      assertThat(build.get(2, TimeUnit.MINUTES).rows()).isPositive();
      table.assertExactWhenCollected();
      assertThat(table.audit().versions()).isEqualTo(13);
    }
  }

  /** Other definitions than the descriptor has, as while an alteration is under way. */
  private static void haveRegionsKnow(BuiltTable table, TestTable.Change older) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      TableDescriptor altered = admin.getDescriptor(table.name());
      TestTable.alter(table.name(), older);
      MiniCluster.utility().getHBaseCluster().getMaster().getTableDescriptors().update(altered);
    }
  }

  /** Clients that ask them would go by older definitions for a lease from then. */
  @Test
  void awaitNoLeaseBeforeRegionsTellOfTheIndex() throws Exception {
    try (BuiltTable table = BuiltTable.create("untold")) {
      table.createIndex(BuiltTable.definition("deferred"));
      haveRegionsKnow(table, unknown -> IndexDefinitions.remove(unknown, INDEX));
      assertToldAt("for writers to notice", table);
    }
  }

  @Test
  void awaitNoLeaseBeforeRegionsTellOfTheSwitch() throws Exception {
    try (BuiltTable table = BuiltTable.create("unswitched")) {
      table.admin().createIndex(table.name(), BuiltTable.definition("deferred"));
      ProgressListener dying =
          (stage, done, total) -> {
            if (stage.contains("to leave the former table")) {
              throw new IllegalStateException("killed");
            }
          };
      assertThatThrownBy(() -> build(table, dying)).hasMessage("killed");
      IndexDefinition former = table.admin().describe(table.name(), INDEX).switched();
      haveRegionsKnow(table, before -> IndexDefinitions.put(before, former));
      assertToldAt("to leave the former table", table);
    }
  }

  private static void assertToldAt(String stage, BuiltTable table) throws IOException {
    List<IndexDefinition> known = table.admin().list(table.name());
    assertThat(told(table)).isNotEqualTo(known);
    List<List<IndexDefinition>> told = new ArrayList<>();
    build(
        table,
        (now, done, total) -> {
          if (now.contains(stage)) {
            told.add(told(table));
          }
        });
    assertThat(told).isNotEmpty().containsOnly(known);
  }

  private static List<IndexDefinition> told(BuiltTable table) {
    try (Table region = table.table()) {
      return IndexDefinitions.of(
          RegionService.description(
              RegionClient.call(
                  region,
                  HConstants.EMPTY_START_ROW,
                  RegionService.DESCRIBE,
                  RegionService.NOTHING)));
    } catch (IOException | DeserializationException e) {
      throw new AssertionError(e);
    }
  }

  private static void build(BuiltTable table, ProgressListener progress) throws IOException {
    table.admin().build(table.name(), INDEX, BuildOptions.DEFAULT, progress);
  }

  @Test
  void areVerifiedAndRepaired() throws Exception {
    try (BuiltTable table = BuiltTable.create("repaired", "m")) {
      table.createIndex(served(BuiltTable.definition("deferred")));
      table.build();
      List<String> rows = List.of("a", "b", "n", "z");
      for (String row : rows) {
        table.putPlain(List.of(put(row, OLD, "v")));
      }
      assertThat(verify(table, ALL).found()).isEmpty();
      damage(table);
      assertThat(verify(table, ALL).found())
          .isEqualTo(Map.of(Kind.MISSING, (long) rows.size(), Kind.DANGLING, 1L));
      assertThat(verify(table, ALL.withRepair()).written()).isEqualTo(rows.size());
      Eventually.holdsElsewhere(() -> assertThat(verify(table, ALL).found()).isEmpty());
      for (String row : rows) {
        table.putPlain(List.of(put(row, OLD + 1, "w"), put(row, OLD + 2, "x")));
      }
      // What repair wrote is collected like what the regions did.
      table.assertExactWhenCollected();
    }
  }

  /** All entries are gone, without a trace, and there is one that nobody asked for. */
  private static void damage(BuiltTable table) throws IOException {
    Index index = Index.of(table.name(), table.admin().describe(table.name(), INDEX));
    MiniCluster.loseFiles(index.table(), EntryCodec.family());
    try (Table entries = MiniCluster.connection().getTable(index.table())) {
      BaseVersion nobody =
          new BaseVersion(Bytes.toBytes("nobody"), Bytes.toBytes("v"), OLD, WriteId.NONE);
      entries.put(index.strategy().write(index, nobody));
    }
  }

  private static VerifyReport verify(BuiltTable table, VerifyOptions options) throws IOException {
    return table.admin().verify(table.name(), INDEX, options, ProgressListener.NONE);
  }
}
