package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.entry;
import static io.deli.test.gc.CompactedTable.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.TestTable;
import io.deli.token.Tokenizers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a version dies, and whose entries go with it. */
@ParameterizedClass
@EnumSource(names = {"STREAMING", "STAGED"})
class DyingVersionsTest {
  @Parameter Mode mode;

  private static final List<IndexDefinition> BY_Q = List.of(TestTable.byQ());

  static Stream<Delete> markers() {
    return Stream.of(
        deleteOf("k").addColumn(FAMILY, QUALIFIER, 5),
        deleteOf("k").addColumns(FAMILY, QUALIFIER, 5),
        deleteOf("k").addFamily(FAMILY, 5),
        deleteOf("k").addFamilyVersion(FAMILY, 5));
  }

  @ParameterizedTest
  @MethodSource("markers")
  void deletedVersionsTakeTheirEntriesAlong(Delete marker) throws Exception {
    try (CompactedTable table = mode.create("marker", 3)) {
      table.write("k", 5, "A");
      table.write("k", 7, "B");
      table.write("other", 5, "A");
      table.flush();
      table.delete(marker);
      table.delete(deleteOf("k").addColumns(FAMILY, QUALIFIER, 1));
      table.delete(deleteOf("orphan").addFamily(FAMILY, 1));
      table.flush();
      assertThat(table.entrySet()).hasSize(3);
      table.major();
      assertThat(table.entrySet()).containsExactly(entry("A", "other", 5), entry("B", "k", 7));
      assertThat(table.raw()).as("markers go as HBase would have them go").hasSize(2);
    }
  }

  @Test
  void theLastRowIsCollectedToo() throws Exception {
    try (CompactedTable table = mode.create("last", 1)) {
      for (String row : List.of("a", "z")) {
        table.write(row, 1, "old");
        table.write(row, 2, "new");
      }
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("new", "a", 2), entry("new", "z", 2));
    }
  }

  /** By HBase's policy, the oldest two files of three. */
  private CompactedTable compactedInPairs(int versions) throws Exception {
    return mode.create(
        "minor",
        versions,
        BY_Q,
        "hbase.hstore.compaction.min",
        "2",
        "hbase.hstore.compaction.max",
        "2",
        "hbase.hstore.defaultengine.compactionpolicy.class",
        "org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy");
  }

  /** Put before there was an index, they have no identities. */
  @Test
  void someFilesKeepTheEntriesOfATwinInAnother() throws Exception {
    try (CompactedTable table = compactedInPairs(1)) {
      for (String value : List.of("A", "B", "A")) {
        table.write("k", 5, value);
        table.flush();
      }
      table.minor();
      assertThat(table.entrySet()).contains(entry("A", "k", 5));
      table.minor();
      assertThat(table.entrySet()).contains(entry("A", "k", 5));
      table.major();
      assertThat(table.entrySet()).containsExactly(entry("A", "k", 5));
    }
  }

  @Test
  void someFilesKeepTheMarkerForTheOthers() throws Exception {
    try (CompactedTable table = compactedInPairs(3)) {
      table.write("k", 1, "A");
      table.flush();
      table.delete(deleteOf("k").addFamily(FAMILY, 5));
      table.flush();
      table.write("k", 3, "B");
      table.flush();
      table.minor();
      assertThat(table.entrySet()).containsExactly(entry("B", "k", 3));
      assertThat(table.raw())
          .as("the marker and what it masks in the third file")
          .hasSize(1 + mode.compactions());
      table.minor();
      assertThat(table.entrySet()).isEmpty();
      assertThat(table.justified()).isEmpty();
      table.major();
      assertThat(table.raw()).isEmpty();
    }
  }

  @Test
  void expiredVersionsTakeTheirEntriesAlong() throws Exception {
    long now = System.currentTimeMillis();
    long expired = now - 7_200_000;
    try (CompactedTable table =
        mode.create(
            "ttl",
            family -> family.setMaxVersions(3).setTimeToLive(3_600).setMinVersions(1),
            BY_Q)) {
      table.write("all_old", expired, "A");
      table.write("all_old", expired + 1, "B");
      table.write("mixed", expired, "A");
      table.write("mixed", now, "B");
      table.flush();
      assertThat(table.entrySet()).hasSize(4);
      table.major();
      assertThat(table.entrySet())
          .as("MIN_VERSIONS keeps one, however old")
          .containsExactly(entry("B", "all_old", expired + 1), entry("B", "mixed", now));
    }
  }

  @Test
  void aFileOfExpiredCellsIsCollectedNotDropped() throws Exception {
    long expired = System.currentTimeMillis() - 7_200_000;
    try (CompactedTable table =
        mode.create(
            "expired_file", family -> family.setMaxVersions(3).setTimeToLive(3_600), BY_Q)) {
      table.write("k", expired, "A");
      table.flushAndMajor();
      assertThat(table.entrySet()).isEmpty();
      assertThat(table.raw()).isEmpty();
    }
  }

  @Test
  void cellsBeyondTheirOwnTimeToLiveTakeTheirEntriesAlong() throws Exception {
    try (CompactedTable table = mode.create("cell_ttl", 1)) {
      long old = System.currentTimeMillis() - 10_000;
      Put put = new Put(Bytes.toBytes("k")).addColumn(FAMILY, QUALIFIER, old, Bytes.toBytes("A"));
      put.setTTL(1_000);
      table.write(put, WriteId.NONE);
      assertThat(table.entrySet()).containsExactly(entry("A", "k", old));
      table.flushAndMajor();
      assertThat(table.entrySet()).isEmpty();
    }
  }

  /**
   * For a time to live of a cell's own, HBase rewrites the tags once more, and it clones cells that
   * are too large for its buffers of memory.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 300_000})
  void aTimeToLiveLeavesTheWriteIdWithItsCell(int size) throws Exception {
    try (CompactedTable table =
        mode.create("cell_ttl_id", 1, List.of(TestTable.byQ().withTokenizer(Tokenizers.PREFIX)))) {
      long now = System.currentTimeMillis();
      WriteId id = WriteId.of(now, 1);
      Put put = new Put(Bytes.toBytes("k"));
      put.addColumn(FAMILY, QUALIFIER, now, Bytes.toBytes("A".repeat(size)));
      put.setTTL(TimeUnit.HOURS.toMillis(1));
      put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
      table.write(put, id);
      table.write("k", now + 1, "B");
      table.flushAndMajor();
      assertThat(table.entrySet()).isEqualTo(table.justified()).contains(entry("B", "k", now + 1));
    }
  }

  @Test
  void aDeleteThatComesLateSparesWhatWasWrittenAgain() throws Exception {
    try (CompactedTable table = mode.create("late", 1)) {
      WriteId first = table.writeAgain("k", 5, "A");
      table.delete(deleteOf("k").addColumn(FAMILY, QUALIFIER, 5));
      table.flushAndMajor();
      assertThat(table.entrySet()).isEmpty();
      table.writeAgain("k", 5, "A");
      table.deleteEntries(
          table.index(), List.of(new Entry(Bytes.toBytes("A"), Bytes.toBytes("k"), 5, first)));
      table.flushAndMajor();
      table.majorOfIndexes();
      assertThat(table.entrySet()).containsExactly(entry("A", "k", 5)).isEqualTo(table.justified());
    }
  }

  @Test
  void sparesEntriesThatALivingTwinStillJustifies() throws Exception {
    try (CompactedTable table =
        mode.create("twin", 3, List.of(TestTable.byQ().withTokenizer(Tokenizers.PREFIX)))) {
      table.write("k", 5, "ab");
      table.write("k", 5, "ac");
      table.flushAndMajor();
      assertThat(table.entrySet()).isEqualTo(table.justified()).doesNotContain(entry("ab", "k", 5));
    }
  }

  @Test
  void everyIndexOfAFamilyIsCollected() throws Exception {
    byte[] second = Bytes.toBytes("s");
    try (CompactedTable table =
        mode.create(
            "several",
            1,
            List.of(
                TestTable.byQ(),
                IndexDefinition.on("by_q_prefix", COLUMN).withTokenizer(Tokenizers.PREFIX),
                IndexDefinition.on("by_s", Column.of(FAMILY, second))))) {
      Put both = new Put(Bytes.toBytes("k"));
      both.addColumn(FAMILY, QUALIFIER, 1, Bytes.toBytes("xy"));
      both.addColumn(FAMILY, second, 1, Bytes.toBytes("s1"));
      table.write(both, WriteId.NONE);
      table.write("k", 2, "xz");
      table.flushAndMajor();
      for (var index : table.indexes()) {
        TestTable one = new TestTable(table.plain(), table.name(), List.of(index));
        assertThat(one.entrySet()).isEqualTo(one.justified()).isNotEmpty();
      }
    }
  }

  @Test
  void rowsWiderThanAWindowAreCollected() throws Exception {
    try (CompactedTable table =
        mode.create(
            "wide", 2, BY_Q, "deli.gc.window.bytes", "64", "deli.gc.windows.inflight", "2")) {
      for (int i = 1; i <= 30; i++) {
        table.write("k", i, "v" + i);
      }
      table.delete(deleteOf("k").addColumns(FAMILY, QUALIFIER, 29));
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("v30", "k", 30));
      assertThat(table.justified()).isEqualTo(table.entrySet());
    }
  }
}
