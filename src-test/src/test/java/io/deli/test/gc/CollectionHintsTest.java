package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.gc.CompactedTable.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.test.cluster.Counters;
import io.deli.test.cluster.Eventually;
import java.io.IOException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A region asks for a compaction when much of its files is garbage, and for nothing else. */
class CollectionHintsTest {
  private static final String RATIO = "deli.gc.garbage.ratio";
  private static final String INTERVAL = "deli.gc.garbage.interval.ms";
  private static final int ROWS = 20;

  private final List<CompactedTable> tables = new ArrayList<>();

  /** So that no table looks while the next test counts. */
  @AfterEach
  void disableTables() throws IOException {
    for (CompactedTable table : tables) {
      TroubleTest.admin().disableTable(table.name());
      table.close();
    }
  }

  private CompactedTable create(Mode mode, int versions, String... values) throws IOException {
    CompactedTable table = mode.create("hints", versions, values);
    tables.add(table);
    return table;
  }

  private static void write(CompactedTable table, int time) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      table.write("row" + row, time, "v" + time);
    }
  }

  /** Of every row three versions, in as many files, and two of them garbage. */
  private static void overwrite(CompactedTable table, int time) throws IOException {
    for (int i = 0; i < 3; i++) {
      write(table, time + i);
      table.flush();
    }
  }

  private static void flushAndAwaitLook(CompactedTable table) throws Exception {
    long before = Counters.value("garbageEstimates");
    table.flush();
    Eventually.holdsElsewhere(
        () -> assertThat(Counters.value("garbageEstimates")).isGreaterThan(before));
  }

  private static void awaitCollected(CompactedTable table, int entries) throws Exception {
    Eventually.holdsElsewhere(
        () -> assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(entries));
  }

  private static long requests() {
    return Counters.value("collectionsRequested");
  }

  @ParameterizedTest
  @EnumSource
  void overwrittenVersionsAreCollectedByThemselves(Mode mode) throws Exception {
    CompactedTable table = create(mode, 1, RATIO, "0.6", INTERVAL, "0");
    long before = requests();
    overwrite(table, 1);
    awaitCollected(table, ROWS);
    table.awaitQuiet();
    for (int row = 0; row < ROWS / 4; row++) {
      table.write("new" + row, 1, "v");
    }
    flushAndAwaitLook(table);
    assertThat(requests()).as("what is collected does not count again").isEqualTo(before + 1);
  }

  @Test
  void deletedRowsAreCollectedByThemselves() throws Exception {
    CompactedTable table = create(Mode.STREAMING, 1, RATIO, "0.6", INTERVAL, "0");
    write(table, 1);
    flushAndAwaitLook(table);
    assertThat(table.entrySet()).hasSize(ROWS);
    for (int row = 0; row < ROWS; row++) {
      table.delete(deleteOf("row" + row).addFamily(FAMILY, 2));
    }
    table.flush();
    awaitCollected(table, 0);
  }

  @Test
  void aTableThatIsOnlyInsertedIntoIsNotCompacted() throws Exception {
    CompactedTable table = create(Mode.STREAMING, 1, RATIO, "0.01", INTERVAL, "0");
    long before = requests();
    int files = 4;
    for (int time = 1; time <= files; time++) {
      for (int row = 0; row < ROWS; row++) {
        table.write(time + "row" + row, time, "v");
      }
      table.delete(deleteOf("absent" + time).addFamily(FAMILY, time));
      table.delete(deleteOf("absent" + time).addColumns(FAMILY, QUALIFIER, time));
      flushAndAwaitLook(table);
    }
    assertThat(requests()).isEqualTo(before);
    assertThat(table.region().getStore(FAMILY).getStorefilesCount()).isEqualTo(files);
  }

  @Test
  void versionsThatTheFamilyKeepsAreNoGarbage() throws Exception {
    CompactedTable table = create(Mode.STREAMING, 3, RATIO, "0.45", INTERVAL, "0");
    long before = requests();
    for (int time = 1; time <= 5; time++) {
      write(table, time);
      flushAndAwaitLook(table);
    }
    assertThat(requests()).as("two of five versions are garbage").isEqualTo(before);
    assertThat(table.entrySet()).hasSize(5 * ROWS);
    write(table, 6);
    table.flush();
    awaitCollected(table, 3 * ROWS);
  }

  @Test
  void onlyWhoAsksIsCompactedAndOnlyWhenItIsTime() throws Exception {
    int hour = LocalTime.now(ZoneId.systemDefault()).getHour();
    List<CompactedTable> others =
        List.of(
            create(Mode.STREAMING, 1),
            create(Mode.STREAMING, 1, RATIO, "0.6", "COMPACTION_ENABLED", "false"),
            create(
                Mode.STREAMING,
                1,
                RATIO,
                "0.6",
                "hbase.offpeak.start.hour",
                Integer.toString((hour + 2) % 24),
                "hbase.offpeak.end.hour",
                Integer.toString((hour + 3) % 24)));
    for (CompactedTable other : others) {
      overwrite(other, 1);
    }
    long before = requests();
    CompactedTable recent = create(Mode.STREAMING, 1, RATIO, "0.6");
    overwrite(recent, 1);
    awaitCollected(recent, ROWS);
    overwrite(recent, 4);

    CompactedTable table = create(Mode.STREAMING, 1, RATIO, "0.6", INTERVAL, "0");
    overwrite(table, 1);
    awaitCollected(table, ROWS);
    assertThat(requests()).isEqualTo(before + 2);
    for (CompactedTable other : others) {
      assertThat(other.entrySet()).hasSize(3 * ROWS);
    }
    assertThat(recent.entrySet()).as("collected within the hour").hasSize(4 * ROWS);
  }

  @Test
  void ofLargeFilesItReadsAFewPlaces() throws Exception {
    CompactedTable table = create(Mode.STREAMING, 1, RATIO, "0.9", INTERVAL, "0");
    int rows = 3_000;
    writeLarge(table, rows, 1);
    flushAndAwaitLook(table);
    assertThat(Counters.gauge("garbageRatio")).isZero();
    writeLarge(table, rows / 2, 2);
    flushAndAwaitLook(table);
    assertThat(Counters.gauge("garbageRatio"))
        .as("the older versions of one half, among those and the living")
        .isCloseTo(1.0 / 3, within(0.1));
  }

  private static void writeLarge(CompactedTable table, int rows, long time) throws IOException {
    byte[] large = new byte[4_000];
    List<Put> puts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      puts.add(
          new Put(Bytes.toBytes(row), time)
              .addColumn(FAMILY, QUALIFIER, Bytes.toBytes("v" + time))
              .addColumn(FAMILY, Bytes.toBytes("z"), large)
              .setDurability(Durability.SKIP_WAL));
    }
    table.base().put(puts);
  }
}
