package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.entry;
import static io.deli.test.gc.CompactedTable.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.client.Finding;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.MissingInternals;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lives on, or may live again, keeps its entries, whoever has it so. */
@ParameterizedClass
@EnumSource(names = {"STREAMING", "STAGED"})
class RetainedVersionsTest {
  private static final String[] STRIPES = {
    "hbase.hstore.engine.class", "org.apache.hadoop.hbase.regionserver.StripeStoreEngine",
    "hbase.store.stripe.compaction.minFilesL0", "2",
    "hbase.store.stripe.compaction.minFiles", "2",
    "hbase.store.stripe.compaction.flushToL0", "true",
    "hbase.store.stripe.initialStripeCount", "2",
  };

  @Parameter Mode mode;

  private CompactedTable table(
      String stem, UnaryOperator<ColumnFamilyDescriptorBuilder> family, String... values)
      throws IOException {
    return mode.create(stem, family, List.of(TestTable.byQ()), values);
  }

  private static void put(CompactedTable table, String row, long timestamp, String value, long ttl)
      throws IOException {
    table.write(TestTable.put(row, timestamp, value).setTTL(ttl), WriteId.NONE);
  }

  /** The compaction that deletes entries is cut off before its file is the store's. */
  private void compactInVain(CompactedTable table) throws IOException {
    if (mode == Mode.STAGED) {
      table.majorOnce();
      return;
    }
    KilledCompactionTest.Killer.parts = Integer.MAX_VALUE;
    KilledCompactionTest.Killer.armed = true;
    try {
      assertThatThrownBy(() -> table.region().compact(true)).hasMessageContaining("killed");
    } finally {
      KilledCompactionTest.Killer.armed = false;
    }
  }

  private static String killer() {
    return "|" + KilledCompactionTest.Killer.class.getName() + "|2000000000|";
  }

  @Test
  void whatACellHidesThatExpiresKeepsItsEntry() throws Exception {
    try (CompactedTable table = table("expires", family -> family, "coprocessor$9", killer())) {
      long now = System.currentTimeMillis();
      table.write("k", now - 2, "A");
      put(table, "k", now - 1, "B", 5_000);
      table.write("other", now - 2, "A");
      table.write("other", now - 1, "B");
      table.flush();
      compactInVain(table);
      MiniCluster.utility()
          .waitFor(20_000, 100, () -> !table.justified().contains(entry("B", "k", now - 1)));
      assertThat(table.entrySet()).containsAll(table.justified());
      if (mode != Mode.STAGED) {
        assertThat(table.justified()).as("lives again").contains(entry("A", "k", now - 2));
      }
      table.major();
      assertThat(table.entrySet())
          .isEqualTo(table.justified())
          .contains(entry("B", "other", now - 1));
    }
  }

  /** Of one timestamp there is one version, and of the expired ones those of MIN_VERSIONS. */
  @Test
  void whatACellHidesWhereAllVersionsStayKeepsItsEntry() throws Exception {
    try (CompactedTable table =
        table(
            "all_stay",
            family ->
                family.setMaxVersions(Integer.MAX_VALUE).setMinVersions(1).setTimeToLive(3_600),
            "coprocessor$9",
            killer())) {
      long now = System.currentTimeMillis();
      table.write("twin", now, "A");
      put(table, "twin", now, "B", 5_000);
      table.write("old", now - 7_200_000, "A");
      put(table, "old", now, "B", 5_000);
      table.flush();
      compactInVain(table);
      MiniCluster.utility()
          .waitFor(
              20_000,
              100,
              () -> table.justified().stream().noneMatch(each -> each.startsWith("B")));
      assertThat(table.entrySet()).containsAll(table.justified());
      if (mode != Mode.STAGED) {
        assertThat(table.justified()).as("live again").hasSize(2);
      }
      table.major();
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }

  /** A row leaves a partial index, and is back in it until a Put expires. */
  @Test
  void whatOnePutWroteToBothColumnsOfAPartialIndexIsSeenInBoth() throws Exception {
    IndexDefinition open =
        TestTable.byQ().withCondition(Column.of(FAMILY, TestTable.OTHER), Bytes.toBytes("open"));
    try (CompactedTable table = mode.create("pairs", 1, List.of(open));
        DeliConnection deli = MiniCluster.connect();
        Table rows = deli.getTable(table.name())) {
      rows.put(pair("A", "open"));
      table.flush();
      rows.put(pair("B", "closed"));
      rows.put(pair("C", "open").setTTL(3_000));
      table.flush();
      Get row = new Get(Bytes.toBytes("k"));
      MiniCluster.utility()
          .waitFor(20_000, 100, () -> !"C".equals(value(rows.get(row), QUALIFIER)));
      assertThat(missing(deli, table)).isZero();
      assertThat(value(rows.get(row), QUALIFIER) + value(rows.get(row), TestTable.OTHER))
          .isEqualTo("Bclosed");
      table.major();
      assertThat(missing(deli, table)).isZero();
    }
  }

  private static Put pair(String value, String state) {
    return new Put(Bytes.toBytes("k"))
        .addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value))
        .addColumn(FAMILY, TestTable.OTHER, Bytes.toBytes(state));
  }

  private static String value(Result row, byte[] qualifier) {
    return Bytes.toString(row.getValue(FAMILY, qualifier));
  }

  private static long missing(DeliConnection deli, CompactedTable table) throws IOException {
    return deli.getDeliAdmin()
        .verify(table.name(), TestTable.INDEX, VerifyOptions.DEFAULT, ProgressListener.NONE)
        .count(Finding.Kind.MISSING);
  }

  /**
   * It would end by another server's clock, and may be ahead of its version. So for the one that is
   * restored with it.
   */
  @ParameterizedTest
  @EnumSource
  void noEntryHasATimeToLive(Maintenance maintenance) throws Exception {
    try (CompactedTable table =
            mode.create("no_ttl", 1, List.of(TestTable.byQ().withMaintenance(maintenance)));
        DeliConnection deli = MiniCluster.connect();
        Table rows = deli.getTable(table.name())) {
      rows.put(TestTable.put("k", "A").setTTL(3_600_000));
      rows.put(TestTable.put("k", "B"));
      rows.delete(deleteOf("k").addColumn(FAMILY, QUALIFIER));
      List<Cell> entries = new ArrayList<>();
      try (RegionScanner scanner =
          MiniCluster.regions(table.index().table()).get(0).getScanner(new Scan())) {
        while (scanner.next(entries)) {
          // All rows are gathered.
        }
      }
      assertThat(entries)
          .hasSize(3)
          .allMatch(entry -> PrivateCellUtil.getTag(entry, TagType.TTL_TAG_TYPE).isEmpty());
    }
  }

  @Test
  void deleteMarkersStayForTheTimeThatTheTableSays() throws Exception {
    try (CompactedTable table =
        table("markers", family -> family, "hbase.hstore.time.to.purge.deletes", "3600000")) {
      long now = System.currentTimeMillis();
      table.write("k", now, "A");
      table.delete(new Delete(Bytes.toBytes("k")).addColumns(FAMILY, QUALIFIER, now + 3_600_000));
      table.flush();
      table.major();
      table.write("k", now + 1, "B");
      assertThat(table.base().get(new Get(Bytes.toBytes("k"))).isEmpty()).isTrue();
    }
  }

  @Test
  void whatACellHidesForGoodGoes() throws Exception {
    try (CompactedTable table = table("hidden", family -> family.setMaxVersions(2))) {
      long now = System.currentTimeMillis();
      long hour = TimeUnit.HOURS.toMillis(1);
      for (int i = 1; i <= 5; i++) {
        put(table, "session", now + i, "v" + i, hour);
      }
      table.write("mixed", now, "old");
      put(table, "mixed", now + 1, "for an hour", hour);
      table.write("mixed", now + 2, "good");
      table.write("mixed", now + 3, "better");
      put(table, "deleted", now + 1, "A", hour);
      put(table, "deleted", now + 2, "B", hour / 2);
      put(table, "deleted", now + 3, "C", hour / 4);
      table.delete(deleteOf("deleted").addColumns(FAMILY, QUALIFIER, now + 2));
      table.flush();
      table.major();
      assertThat(table.entrySet())
          .isEqualTo(table.justified())
          .containsExactlyInAnyOrder(
              entry("v5", "session", now + 5),
              entry("v4", "session", now + 4),
              entry("good", "mixed", now + 2),
              entry("better", "mixed", now + 3),
              entry("C", "deleted", now + 3));
      assertThat(table.raw()).hasSize(5);
    }
  }

  /** HBase drops it in the first compaction; its entry goes with the next one. */
  @Test
  void whatACompactionHasDroppedIsNotSeenAgain() throws Exception {
    try (CompactedTable table = table("again", family -> family)) {
      long now = System.currentTimeMillis();
      WriteId id = table.writeAgain("k", now, "A");
      put(table, "k", now + 1, "B", TimeUnit.HOURS.toMillis(2));
      put(table, "k", now + 2, "C", TimeUnit.HOURS.toMillis(1));
      assertThat(id.isNone()).isFalse();
      table.flush();
      table.major();
      assertThat(table.raw()).hasSize(1);
      assertThat(table.entrySet()).contains(entry("C", "k", now + 2));
      table.delete(deleteOf("k").addColumn(FAMILY, QUALIFIER, now + 2));
      assertThat(table.justified()).as("as in HBase alone").isEmpty();
      table.write("k", now, "A");
      assertThat(table.justified()).as("put again").containsExactly(entry("A", "k", now));
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("A", "k", now));
      assertThat(table.raw()).hasSize(1);
    }
  }

  /** Ahead of DELI's, behind it, and with a scanner of another one's between. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 2_000_000_000})
  void whatAnotherCoprocessorRetainsKeepsItsEntry(int priority) throws Exception {
    byte[] plain = Bytes.toBytes("plain");
    try (CompactedTable table =
        table(
            "retained",
            family -> family,
            "coprocessor$9",
            "|" + RetainingObserver.class.getName() + "|" + priority + "|")) {
      for (int i = 1; i <= 3; i++) {
        Put put =
            new Put(Bytes.toBytes("k"))
                .addColumn(FAMILY, plain, i, Bytes.toBytes("p" + i))
                .addColumn(FAMILY, QUALIFIER, i, Bytes.toBytes("v" + i));
        table.write(put, WriteId.NONE);
      }
      table.delete(deleteOf("k").addColumn(FAMILY, QUALIFIER, 1));
      table.flush();
      assertThat(table.raw()).hasSize(7);
      table.major();
      assertThat(table.raw()).as("as HBase with that coprocessor").hasSize(7);
      assertThat(table.entrySet()).hasSize(3);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stripesAreCollected(boolean newVersions) throws Exception {
    collectStripes(newVersions, 0);
  }

  /** As on an HBase where nobody can tell of which stripes a compaction reads all files. */
  @Test
  void stripesOfUnknownBoundsKeepTheirMarkers() throws Exception {
    MissingInternals.during(() -> collectStripes(false, 2));
  }

  private void collectStripes(boolean newVersions, int markers) throws Exception {
    try (CompactedTable table =
        table("stripes", family -> family.setNewVersionBehavior(newVersions), STRIPES)) {
      for (int i = 1; i <= 2; i++) {
        for (String row : List.of("a", "b", "c", "d")) {
          table.write(row, 10L * i, row + i);
        }
        table.flush();
      }
      table.delete(deleteOf("c").addColumns(FAMILY, QUALIFIER, 15));
      table.delete(deleteOf("d").addFamily(FAMILY, 30));
      table.flush();
      for (int i = 0; i < mode.compactions(); i++) {
        table.region().compact(true);
        table.awaitQuiet();
      }
      assertThat(table.entrySet())
          .isEqualTo(table.justified())
          .containsExactly(entry("a2", "a", 20), entry("b2", "b", 20), entry("c2", "c", 20));
      if (mode != Mode.STAGED) {
        assertThat(table.raw()).as("values and markers").hasSize(3 + markers);
      }
    }
  }

  @Test
  void firstInFirstOutIsCollectedWhenItExpires() throws Exception {
    try (CompactedTable table =
        table(
            "fifo",
            family -> family.setTimeToLive(3_600),
            "hbase.hstore.defaultengine.compactionpolicy.class",
            "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy",
            "hbase.hstore.blockingStoreFiles",
            "2000")) {
      long now = System.currentTimeMillis();
      table.write("k", now - 7_200_000, "expired");
      table.flush();
      table.write("k", now, "A");
      table.flush();
      table.write("k", now + 1, "B");
      table.flush();
      table.major();
      assertThat(table.entrySet())
          .as("what is superseded is not compacted before it expires")
          .containsExactly(entry("A", "k", now), entry("B", "k", now + 1));
    }
  }

  @Test
  void datesInTiersAreCollected() throws Exception {
    try (CompactedTable table =
        table(
            "tiered",
            family -> family,
            "hbase.hstore.engine.class",
            "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine",
            "hbase.hstore.blockingStoreFiles",
            "60",
            "hbase.hstore.compaction.min",
            "2",
            "hbase.hstore.compaction.max",
            "60",
            "hbase.hstore.compaction.date.tiered.base.window.millis",
            "1000")) {
      long now = System.currentTimeMillis();
      for (int i = 0; i < 4; i++) {
        table.write("k", now - 100_000L * (4 - i), "v" + i);
        table.write("row" + i, now - 100_000L * (4 - i), "w");
        table.flush();
      }
      table.delete(deleteOf("row0").addFamily(FAMILY, now));
      table.flush();
      table.major();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(4);
    }
  }
}
