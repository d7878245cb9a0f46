package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.advise.Facts;
import io.deli.tools.advise.Survey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is measured of a table is what was put there, about, and the advice follows from it. */
class AdviseOnClusterTest {
  private static final int ROWS = 20_000;
  private static final int REPLACED = 6_000;
  private static final int SAMPLE = 2_000;
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] FILLER = new byte[500];

  private static Cli deli;
  private static TableName name;

  /** Row keys are in no order of time; a part of one column is written twice. */
  @BeforeAll
  static void write() throws IOException {
    deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
    name = MiniCluster.uniqueTable("advise");
    assertThat(deli.run("create-table", name.getNameAsString(), "d").code()).isZero();
    Random random = new Random(4);
    try (Table table = MiniCluster.connection().getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(
            put(i, i)
                .addColumn(FAMILY, Bytes.toBytes("time"), Bytes.toBytes((long) i))
                .addColumn(FAMILY, Bytes.toBytes("user"), Bytes.toBytes("u" + random.nextInt(400)))
                .addColumn(FAMILY, Bytes.toBytes("kind"), Bytes.toBytes("k" + random.nextInt(4)))
                .addColumn(FAMILY, Bytes.toBytes("state"), Bytes.toBytes("s" + random.nextInt(400)))
                .addColumn(FAMILY, Bytes.toBytes("filler"), FILLER));
      }
      table.put(puts);
      MiniCluster.utility().flush(name);
      puts.clear();
      for (int i = 0; i < REPLACED; i++) {
        puts.add(
            put(i, ROWS + i).addColumn(FAMILY, Bytes.toBytes("state"), Bytes.toBytes("other")));
      }
      table.put(puts);
    }
  }

  private static Put put(int i, int time) {
    return new Put(Bytes.toBytes("%05d".formatted(i * 7_919 % ROWS)), 1_000_000L + time);
  }

  private static Facts facts(String column, ValueType type) throws IOException {
    return facts(name, column, type);
  }

  private static Facts facts(TableName table, String column, ValueType type) throws IOException {
    Connection connection = MiniCluster.connection();
    return new Survey(
            connection,
            MiniCluster.utility().getAdmin().getDescriptor(table),
            Column.parse(column),
            type)
        .run(SAMPLE, Facts.Wants.UNTOLD, ProgressListener.NONE)
        .facts();
  }

  private static String advice(String column, String... options) {
    List<String> all =
        new ArrayList<>(List.of("advise", name.getNameAsString(), "--column", column));
    all.addAll(List.of(options));
    all.addAll(List.of("--sample", Integer.toString(SAMPLE)));
    Outcome outcome = deli.run(all.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome.out();
  }

  @Test
  void aColumnThatFollowsTime() throws IOException {
    Facts facts = facts("d:time", ValueType.LONG);
    assertThat(facts.column().timeCorrelation()).isCloseTo(1, within(0.01));
    assertThat(facts.column().boundsShare()).as("in no order of row keys").isGreaterThan(0.8);
    assertThat(facts.table().rows()).isBetween(ROWS * 2L / 3, ROWS * 3L / 2);
    assertThat(facts.table().counted()).isFalse();
    assertThat(facts.table().writes()).isGreaterThanOrEqualTo(ROWS + REPLACED);
    assertThat(facts.table().files()).isEqualTo(1);
    assertThat(facts.distinct()).as("each its own").isEqualTo(facts.indexedRows());

    assertThat(advice("d:time", "--type", "LONG"))
        .contains("advice: --strategy embedded")
        .contains("follow time");
  }

  @Test
  void aColumnInNoOrderWithSomeRowsOfEachValue() throws IOException {
    Facts facts = facts("d:user", ValueType.STRING);
    assertThat(facts.column().timeCorrelation()).isCloseTo(0, within(0.15));
    assertThat(facts.distinct()).isCloseTo(400, within(40.0));
    assertThat(facts.rowsPerValue()).isBetween(25.0, 90.0);
    assertThat(facts.column().rows()).isBetween(SAMPLE * 3L / 4, SAMPLE * 2L);

    assertThat(advice("d:user")).contains("advice: --strategy deferred");
    assertThat(advice("d:user", "--limit", "5")).contains("advice: --strategy lazy");
    assertThat(advice("d:user", "--updates", "0")).contains("advice: --strategy composite");
    assertThat(advice("d:user", "--lookups", "1", "--writes", "60"))
        .contains("advice: --strategy embedded");
    assertThat(advice("d:user", "--json"))
        .contains("\"strategy\": \"deferred\"")
        .contains("\"fact\": \"distinct\"")
        .contains("\"put_writes\": 2");
  }

  @Test
  void aColumnOfFewValues() throws IOException {
    assertThat(facts("d:kind", ValueType.STRING).distinct()).isEqualTo(4);
    assertThat(advice("d:kind")).contains("advice: --strategy none");
  }

  @Test
  void aColumnWhoseValuesAreReplaced() throws IOException {
    double updates = facts("d:state", ValueType.STRING).updates().orElseThrow();
    assertThat(updates).isCloseTo((double) REPLACED / (ROWS + REPLACED), within(0.08));
    assertThat(advice("d:state", "--limit", "3"))
        .contains("advice: --strategy deferred --order BY_TIME");
    assertThat(advice("d:state", "--writes", "1")).contains("advice: --strategy in-place");
  }

  @Test
  void smallTablesAreReadWhole() throws IOException {
    TableName small = MiniCluster.uniqueTable("advise_small");
    try (Table table =
        MiniCluster.utility().createTable(small, FAMILY, new byte[][] {Bytes.toBytes("00050")})) {
      for (int i = 0; i < 120; i++) {
        Put put = new Put(Bytes.toBytes("%05d".formatted(i)));
        table.put(put.addColumn(FAMILY, Bytes.toBytes("c"), Bytes.toBytes(i % 3)));
      }
    }
    Facts facts = facts(small, "d:c", ValueType.INT);
    assertThat(facts.table().counted()).isTrue();
    assertThat(facts.table().rows()).isEqualTo(120);
    assertThat(facts.distinct()).isEqualTo(3);
    assertThat(facts.rowsPerValue()).isEqualTo(40);
  }

  /** Amid keys of digits, in the first of its two regions or the second. */
  @Test
  void anOutlyingKeyDoesNotRuinTheSample() throws IOException {
    TableName outlying = MiniCluster.uniqueTable("advise_outlier");
    try (Table table = MiniCluster.utility().createTable(outlying, FAMILY)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        Put put = new Put(Bytes.toBytes("%05d".formatted(i)));
        puts.add(
            put.addColumn(FAMILY, Bytes.toBytes("c"), Bytes.toBytes("v" + i * 31 % 400))
                .addColumn(FAMILY, Bytes.toBytes("filler"), FILLER));
      }
      puts.add(new Put(Bytes.toBytes("x")).addColumn(FAMILY, Bytes.toBytes("y"), FILLER));
      table.put(puts);
      MiniCluster.utility().flush(outlying);
    }
    Facts facts = facts(outlying, "d:c", ValueType.STRING);
    assertThat(facts.column().rows()).isGreaterThan(SAMPLE * 3L / 4);
    assertThat(facts.table().rows()).isBetween(ROWS * 2L / 3, ROWS * 3L / 2);
    assertThat(facts.distinct()).isCloseTo(400, within(60.0));

    Outcome outcome = deli.run("advise", outlying.getNameAsString(), "--column", "d:c");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("advice: --strategy deferred").contains("confidence: ");
  }

  @Test
  void aSampleOfFewValuesIsRefused() throws IOException {
    TableName sparse = MiniCluster.uniqueTable("advise_sparse");
    try (Table table = MiniCluster.utility().createTable(sparse, FAMILY)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS / 2; i++) {
        Put put = new Put(Bytes.toBytes("%05d".formatted(i)));
        puts.add(put.addColumn(FAMILY, Bytes.toBytes(i % 100 == 0 ? "c" : "o"), Bytes.toBytes(i)));
      }
      table.put(puts);
    }
    String name = sparse.getNameAsString();
    fails(1, "raise --sample", "advise", name, "--column", "d:c", "--sample", "500");
  }

  @Test
  void saysWhatIsWrong() {
    String table = name.getNameAsString();
    fails(1, "does not exist", "advise", "nowhere", "--column", "d:c");
    fails(1, "column d:usr of table " + table, "advise", table, "--column", "d:usr");
    fails(2, "no family", "advise", table, "--column", "x:user");
    fails(2, "--type", "advise", table, "--column", "d:user", "--type", "LONG");
    fails(2, "--limit -1", "advise", table, "--column", "d:user", "--limit", "-1");
    fails(2, "percentage", "advise", table, "--column", "d:user", "--lookups", "101");
    fails(2, "--sample 0", "advise", table, "--column", "d:user", "--sample", "0");
  }

  private static void fails(int code, String reason, String... args) {
    assertThat(deli.run(args).assertFails(code, reason).errors()).hasSize(1);
  }
}
