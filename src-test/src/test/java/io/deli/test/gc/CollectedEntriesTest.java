package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.entry;
import static io.deli.test.gc.CompactedTable.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.WriteId;
import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which entries a compaction of the base table collects, and which stay. */
@ParameterizedClass
@EnumSource
class CollectedEntriesTest {
  private static final byte[] PAYLOAD = Bytes.toBytes("payload");

  @Parameter Mode mode;

  @Test
  void keepsTheNewestOfEqualValues() throws Exception {
    try (CompactedTable table = mode.create("aba", 1)) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      table.write("k", 3, "A");
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("A", "k", 3));
      assertThat(table.raw()).hasSize(1);
    }
  }

  @Test
  void collectsWhatBecameObsoleteAfterTheLastRun() throws Exception {
    try (CompactedTable table = mode.create("later", 1)) {
      table.write("k", 1, "A");
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("A", "k", 1));
      table.write("k", 2, "B");
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("B", "k", 2));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = MemoryCompactionPolicy.class,
      names = {"NONE", "BASIC", "EAGER"})
  void losesNoVersionBeforeItsEntryIsCollected(MemoryCompactionPolicy inMemory) throws Exception {
    try (CompactedTable table =
        mode.create(
            "overwrites",
            family -> family.setMaxVersions(1).setInMemoryCompaction(inMemory),
            List.of(TestTable.byQ()))) {
      for (int i = 1; i <= 10; i++) {
        table.write("k", i, "v" + i);
        InMemory.compact(table.region());
      }
      table.flush();
      assertThat(table.entrySet()).hasSize(10);
      table.major();
      assertThat(table.entrySet()).containsExactly(entry("v10", "k", 10));
      assertThat(table.raw()).hasSize(1);
    }
  }

  /** A server that dies loses what superseded it, if that was in no log. */
  @Test
  void losesNoVersionInMemory_thoughItsEntryMayGoAhead() throws Exception {
    try (CompactedTable table =
        mode.create(
            "ahead",
            family -> family.setMaxVersions(1).setInMemoryCompaction(MemoryCompactionPolicy.EAGER),
            List.of(TestTable.byQ().withStrategy("composite")))) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      InMemory.compact(table.region());
      assertThat(table.raw()).hasSize(2);
      table.flush();
      assertThat(table.raw()).hasSize(1);
    }
  }

  /** HBase frees the blocks of a compaction's files again and again, and reads others into them. */
  @Test
  void whatIsHeldOutlivesTheBlocksItWasReadFrom() throws Exception {
    try (CompactedTable table = mode.create("blocks", 1, "deli.gc.window.bytes", "400000")) {
      Map<String, byte[]> payloads = new TreeMap<>();
      Random random = new Random(1);
      for (int timestamp = 1; timestamp <= 2; timestamp++) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
          String row = "row%04d".formatted(i);
          byte[] payload = new byte[4_000];
          random.nextBytes(payload);
          payloads.put(row, payload);
          Put put =
              new Put(Bytes.toBytes(row)).addColumn(TestTable.FAMILY, PAYLOAD, timestamp, payload);
          // Every other row has something to collect, so that some wait behind others.
          if (timestamp == 1 || i % 2 == 0) {
            byte[] value = Bytes.toBytes("v" + timestamp);
            put.addColumn(TestTable.FAMILY, TestTable.QUALIFIER, timestamp, value);
          }
          puts.add(put);
        }
        table.write(puts, WriteId.NONE);
        table.flush();
      }
      table.major();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(1_000);
      try (ResultScanner rows = table.base().getScanner(new Scan())) {
        for (Result row : rows) {
          byte[] payload = payloads.remove(Bytes.toString(row.getRow()));
          assertThat(row.getValue(TestTable.FAMILY, PAYLOAD)).isEqualTo(payload);
        }
      }
      assertThat(payloads).isEmpty();
    }
  }

  @Test
  void sparesTheLivingOfEqualWrites() throws Exception {
    try (CompactedTable table = mode.create("equal", 1)) {
      table.writeAgain("k", 5, "A");
      table.delete(deleteOf("k").addColumn(TestTable.FAMILY, TestTable.QUALIFIER, 5));
      table.flushAndMajor();
      assertThat(table.entrySet()).isEmpty();
      table.writeAgain("k", 5, "A");
      table.flushAndMajor();
      table.majorOfIndexes();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(1);
    }
  }

  @Test
  void collectsTheLoserOfTwoValuesAtOneTimestamp() throws Exception {
    try (CompactedTable table = mode.create("tie", 3)) {
      for (String row : List.of("memory", "files")) {
        for (String value : List.of("A", "B", "C")) {
          table.writeAgain(row, 5, value);
          if (row.equals("files")) {
            table.flush();
          }
        }
      }
      table.flushAndMajor();
      assertThat(table.entrySet()).containsExactly(entry("C", "files", 5), entry("C", "memory", 5));
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }
}
