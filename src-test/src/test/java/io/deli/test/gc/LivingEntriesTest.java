package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** After a collection an index has the entries of the living versions, each once. */
class LivingEntriesTest {
  private static final int ROUNDS = Integer.getInteger("deli.gc.test.rounds", 4);
  private static final String[] NO_GROUPS = {};

  /** How an index is kept. */
  enum Kind {
    DEFERRED_BY_KEY(TestTable.byQ()),
    DEFERRED_NEWEST(TestTable.byQ().withOption(IndexDefinition.VERSIONS, "1")),
    SERVED_BY_TIME(
        TestTable.byQ().withOrder(EntryOrder.BY_TIME).withMaintenance(Maintenance.SERVER)),
    COMPOSITE(TestTable.byQ().withStrategy("composite")),
    SERVED_COMPOSITE(
        COMPOSITE.definition.withOrder(EntryOrder.BY_TIME).withMaintenance(Maintenance.SERVER)),
    EAGER(TestTable.byQ().withStrategy("eager")),
    LAZY(TestTable.byQ().withStrategy("lazy")),
    IN_PLACE(TestTable.byQ().withStrategy("in-place"));

    @SuppressWarnings("ImmutableEnumChecker") // it is
    private final IndexDefinition definition;

    Kind(IndexDefinition definition) {
      this.definition = definition;
    }

    CollectedTable create(UnaryOperator<ColumnFamilyDescriptorBuilder> family) throws IOException {
      return CollectedTable.create(family, definition);
    }

    CollectedTable create(int versions) throws IOException {
      return create(family -> family.setMaxVersions(versions));
    }
  }

  private static Delete latest(String row) {
    return new Delete(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER);
  }

  private static Delete exact(String row, long timestamp) {
    return new Delete(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, timestamp);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DEFERRED_NEWEST")
  void deletesOfTheLatestVersionLeaveNothingBehind(Kind kind) throws Exception {
    try (CollectedTable table = kind.create(3)) {
      for (int i = 0; i < 40; i++) {
        table.base().put(put("r", "v" + i));
      }
      for (int i = 0; i < 5; i++) {
        table.base().delete(latest("r"));
      }
      table.assertNothingMissing();
      int before = table.entries().size();
      table.collectAfterGrace();
      System.out.printf("%s: %d entries before, %d after%n", kind, before, table.entries().size());
      table.assertExact();
      assertThat(table.living()).hasSize(3);
      assertThat(before).as("one more for each delete, at most").isLessThanOrEqualTo(45);
    }
  }

  @ParameterizedTest
  @EnumSource
  void mixedWritesLeaveNothingBehind(Kind kind) throws Exception {
    Random random = new Random(20240501);
    try (CollectedTable table = kind.create(3)) {
      for (int i = 0; i < 400; i++) {
        write(table, random, "r" + random.nextInt(12));
        if (random.nextInt(60) == 0) {
          table.flush();
        } else if (random.nextInt(80) == 0) {
          table.compact();
        }
        if (i % 20 == 0) {
          table.assertNothingMissing();
        }
        if (kind == Kind.DEFERRED_NEWEST && i % 150 == 149) {
          table.repair();
        }
      }
      int before = table.entries().size();
      table.collectAfterGrace();
      System.out.printf(
          "%s: %d entries before, %d after, for %d living versions%n",
          kind, before, table.entries().size(), table.living().size());
      table.assertExact();
    }
  }

  private static void write(CollectedTable table, Random random, String row) throws Exception {
    String value = "v" + random.nextInt(5);
    long timestamp = 1_000L + random.nextInt(8);
    byte[] key = Bytes.toBytes(row);
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4 -> table.base().put(put(row, value));
      case 5, 6, 7 -> table.base().put(put(row, timestamp, value));
      case 8, 9 -> table.base().delete(latest(row));
      case 10 -> table.base().delete(exact(row, timestamp));
      case 11 -> table.base().delete(new Delete(key).addFamilyVersion(FAMILY, timestamp));
      case 12 -> table.base().delete(new Delete(key).addColumns(FAMILY, QUALIFIER, timestamp));
      case 13 -> table.base().mutateRow(RowMutations.of(List.of(put(row, value), latest(row))));
      case 14 ->
          table
              .base()
              .delete(
                  new Delete(key)
                      .addColumn(FAMILY, QUALIFIER)
                      .addColumn(FAMILY, QUALIFIER, timestamp)
                      .addColumn(FAMILY, QUALIFIER, timestamp + 1));
      default ->
          table
              .base()
              .batch(
                  List.of(exact(row, timestamp), exact(row, timestamp + 1), put("x" + row, value)),
                  new Object[3]);
    }
  }

  /** MIN_VERSIONS keeps the newest of a row however old, and the next one when that is deleted. */
  @ParameterizedTest
  @EnumSource(names = {"DEFERRED_BY_KEY", "SERVED_BY_TIME", "LAZY", "IN_PLACE"})
  void whatMinVersionsKeepsIsRestored(Kind kind) throws Exception {
    long expired = System.currentTimeMillis() - 7_200_000;
    try (CollectedTable table =
        kind.create(family -> family.setMaxVersions(3).setMinVersions(1).setTimeToLive(3_600))) {
      for (String row : List.of("latest", "exact", "version")) {
        table.base().put(put(row, expired, "old"));
        table.base().put(put(row, expired + 1, "new"));
      }
      // As a collection leaves it whose compaction fails after all.
      table.retract("old");
      table.base().delete(latest("latest"));
      table.base().delete(exact("exact", expired + 1));
      table
          .base()
          .delete(new Delete(Bytes.toBytes("version")).addFamilyVersion(FAMILY, expired + 1));
      assertThat(table.living()).hasSize(3);
      table.assertNothingMissing();
      table.collectAfterGrace();
      table.assertExact();
    }
  }

  /** Both looks at the row must see as many versions as a reader does. */
  @ParameterizedTest
  @CsvSource({"COMPOSITE, 2", "COMPOSITE, 3", "LAZY, 2", "IN_PLACE, 3"})
  void aDeleteOfTheLatestVersionKeepsTheLiving(Kind kind, int versions) throws Exception {
    try (CollectedTable table = kind.create(versions)) {
      table.base().put(put("r", 30, "first"));
      table
          .base()
          .batch(
              List.of(put("r", 27, "second"), put("r", 25, "third"), latest("r")), new Object[3]);
      assertThat(table.living()).hasSize(2);
      table.assertNothingMissing();
      table.base().delete(latest("r"));
      table.assertNothingMissing();
      table.collectAfterGrace();
      table.assertExact();
      assertThat(table.living()).hasSize(1);
    }
  }

  /** What a time to live takes back may come to light long after the delete. */
  @ParameterizedTest
  @EnumSource(names = {"DEFERRED_BY_KEY", "SERVED_BY_TIME"})
  void whatAPassingVersionHidesIsRestoredWithIt(Kind kind) throws Exception {
    try (CollectedTable table = kind.create(1)) {
      long now = System.currentTimeMillis();
      table.base().put(put("r", now - 3, "lasting"));
      table.base().put(put("r", now - 2, "passing").setTTL(60_000));
      table.base().put(put("r", now - 1, "new"));
      table.retract("lasting");
      table.retract("passing");
      table.base().delete(exact("r", now - 1));
      assertThat(table.entries())
          .anyMatch(entry -> entry.startsWith("lasting>r"))
          .anyMatch(entry -> entry.startsWith("passing>r"));
    }
  }

  /** It had been hidden for good, so that a collection may have deleted its entry. */
  @ParameterizedTest
  @EnumSource(names = {"DEFERRED_BY_KEY", "SERVED_BY_TIME"})
  void whatExpiresBehindAPassingVersionIsRestored(Kind kind) throws Exception {
    try (CollectedTable table = kind.create(2)) {
      long now = System.currentTimeMillis();
      table.base().put(put("r", now - 3, "passing").setTTL(60_000));
      table.base().put(put("r", now - 2, "lasting"));
      table.base().put(put("r", now - 1, "passing later").setTTL(120_000));
      table.retract("passing");
      table.base().delete(exact("r", now - 2));
      assertThat(table.living()).hasSize(2);
      table.assertNothingMissing();
    }
  }

  /** Of two versions at one timestamp no scan tells that the older one lasts, and hides others. */
  @ParameterizedTest
  @EnumSource(names = {"DEFERRED_BY_KEY", "SERVED_BY_TIME"})
  void whatIsBehindTwinsIsRestored(Kind kind) throws Exception {
    for (int versions : List.of(1, 2)) {
      try (CollectedTable table = kind.create(versions)) {
        long now = System.currentTimeMillis();
        table.base().put(put("r", now - 3, "older"));
        table.base().put(put("r", now - 2, "lasting"));
        if (versions == 2) {
          table.base().put(put("r", now - 1, "newest"));
        }
        table.retract("older");
        table.base().put(put("r", now - 2, "passing").setTTL(60_000));
        table.base().delete(exact("r", versions == 2 ? now - 1 : now - 2));
        assertThat(table.living()).hasSize(versions);
        table.assertNothingMissing();
      }
    }
  }

  /** Its writer died between its two Puts. */
  @ParameterizedTest
  @EnumSource(names = {"DEFERRED_BY_KEY", "SERVED_BY_TIME", "EAGER", "LAZY"})
  void theEntryOfAWriteThatFailedGoes(Kind kind) throws Exception {
    try (CollectedTable table = kind.create(1)) {
      table.base().put(put("r", "v"));
      table.putEntryOf("gone", 5, "v");
      assertThat(table.entries()).hasSize(2);
      table.collectAfterGrace();
      table.assertExact();
    }
  }

  /** HBase's compactions alone, of the table and then of the index. */
  @ParameterizedTest
  @EnumSource(names = {"COMPOSITE", "SERVED_COMPOSITE", "EAGER", "LAZY", "IN_PLACE"})
  void compactionsBoundWhatUpdatesLeave(Kind kind) throws Exception {
    int rows = 100;
    try (CollectedTable table = kind.create(2)) {
      List<Long> bytes = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < rows; i++) {
          table.base().put(put("row%05d".formatted(i), "v" + (i + round) % 5));
        }
        table.compact();
        if (round == ROUNDS - 1) {
          table.putEntryOf("young", System.currentTimeMillis() + 3_600_000, "v0");
          table.awaitGrace();
        }
        bytes.add(table.compactIndex());
      }
      System.out.printf(
          "%s: %s bytes; %d entries for %d living versions%n",
          kind, bytes, table.entries().size(), table.living().size());
      table.assertNothingMissing();
      List<String> left = new ArrayList<>(table.entries());
      left.removeAll(table.living());
      // A list of eager keeps its first posting, even if it is stale.
      assertThat(left.stream().filter(entry -> !entry.contains("young")).toList())
          .hasSizeLessThanOrEqualTo(kind == Kind.EAGER ? 5 : 0);
      assertThat(left).filteredOn(entry -> entry.contains("young")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPOSITE", "LAZY"})
  void whatTheTableDoesNotTellStays(Kind kind) throws Exception {
    try (CollectedTable table = kind.create(1)) {
      table.base().put(put("r", "v1"));
      table.base().put(put("r", "v2"));
      table.compact();
      table.setIndexTimeout(500);
      table.awaitGrace();
      User stranger = User.createUserForTesting(MiniCluster.configuration(), "stranger", NO_GROUPS);
      assertThatThrownBy(() -> table.stale(stranger))
          .hasCauseInstanceOf(AccessDeniedException.class);
      assertThat(table.stale(User.getCurrent())).hasSize(1);
      MiniCluster.utility().getAdmin().disableTable(table.base().getName());
      table.compactIndex();
      assertThat(table.entries()).hasSize(2);
      MiniCluster.utility().getAdmin().enableTable(table.base().getName());
      table.setIndexTimeout(20_000);
      table.compactIndex();
      table.assertExact();
    }
  }

  @Test
  void whatIsYoungerThanTheGraceStays() throws Exception {
    try (CollectedTable table = Kind.DEFERRED_BY_KEY.create(1)) {
      table.putEntryOf("young", System.currentTimeMillis() + 3_600_000, "v");
      table.collectAfterGrace();
      assertThat(table.entries()).hasSize(1);
    }
  }
}
