package io.deli.test.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.CollectOptions;
import io.deli.client.CollectedRegion;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.entry.EntryCodec;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table is collected region by region, and its regions tell when they were. */
class CollectByRegionTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final int REGIONS = 4;

  private final TableName name = MiniCluster.uniqueTable("by_region");
  private final DeliAdmin admin = DeliAdmin.of(MiniCluster.connection());
  @AutoClose private DeliConnection connection;

  @BeforeEach
  void create() throws IOException {
    byte[][] splits = {Bytes.toBytes("2"), Bytes.toBytes("4"), Bytes.toBytes("6")};
    MiniCluster.utility().createTable(name, COLUMN.family(), splits).close();
    admin.createIndex(name, IndexDefinition.on("i", COLUMN));
    connection = MiniCluster.connect();
    write("old");
    write("new");
  }

  private void write(String value) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 2 * REGIONS; i++) {
        table.put(
            new Put(Bytes.toBytes("" + i))
                .addColumn(COLUMN.family(), COLUMN.qualifier(), Bytes.toBytes(value)));
      }
    }
  }

  private List<Optional<Instant>> compacted() throws IOException {
    return admin.regions(name).stream().map(CollectedRegion::compacted).toList();
  }

  private void collect(CollectOptions options, ProgressListener progress) throws IOException {
    admin.collect(name, options, progress);
  }

  @Test
  void compactsOneAfterTheOtherWhereOneIsAllowed() throws Exception {
    MiniCluster.move(name, MiniCluster.serverOf(name));
    Set<Long> steps = new TreeSet<>();
    collect(
        CollectOptions.DEFAULT.withPerServer(1),
        (stage, done, total) -> {
          if (stage.endsWith(name.getNameAsString()) && total == REGIONS) {
            steps.add(done);
          }
        });
    assertThat(steps).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(admin.verify(name, "i", VerifyOptions.DEFAULT, ProgressListener.NONE).found())
        .isEmpty();
  }

  @Test
  void leavesOutWhatWasCompactedLately() throws IOException {
    assertThat(compacted()).hasSize(REGIONS).allMatch(Optional::isEmpty);
    Instant begun = Instant.now().minusSeconds(1);

    collect(CollectOptions.DEFAULT.withOlderThan(Duration.ofHours(1)), ProgressListener.NONE);
    List<Optional<Instant>> first = compacted();
    assertThat(first).hasSize(REGIONS).allMatch(time -> time.orElseThrow().isAfter(begun));
    assertThat(admin.regions(name))
        .extracting(region -> Bytes.toString(region.startKey()))
        .containsExactly("", "2", "4", "6");

    collect(CollectOptions.DEFAULT.withOlderThan(Duration.ofHours(1)), ProgressListener.NONE);
    assertThat(compacted()).isEqualTo(first);

    collect(CollectOptions.DEFAULT, ProgressListener.NONE);
    List<Optional<Instant>> last = compacted();
    for (int i = 0; i < REGIONS; i++) {
      assertThat(last.get(i).orElseThrow()).isAfter(first.get(i).orElseThrow());
    }
  }

  /** The master's own procedure for flushes may be lost there. */
  @Test
  void passesOverARegionThatIsBeingFlushed() throws Exception {
    TableName entries = TableName.valueOf(name + ".i");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HookObserver.on(entries)
        .once(
            Moment.FLUSH,
            (region, store) -> {
              begun.countDown();
              goOn.await();
            });
    write("newer");
    ExecutorService others = Executors.newFixedThreadPool(2);
    try {
      Future<?> flushed =
          others.submit(
              () -> {
                MiniCluster.utility().flush(entries);
                return null;
              });
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      Future<?> collected =
          others.submit(
              () -> {
                collect(CollectOptions.DEFAULT, ProgressListener.NONE);
                return null;
              });
      collected.get(1, TimeUnit.MINUTES);
      goOn.countDown();
      flushed.get(1, TimeUnit.MINUTES);
    } finally {
      goOn.countDown();
      others.shutdownNow();
    }
    assertThat(admin.verify(name, "i", VerifyOptions.DEFAULT, ProgressListener.NONE).found())
        .isEmpty();
  }

  private static Cli deli() {
    return new Cli("--zookeeper", MiniCluster.zooKeeper());
  }

  /** One that came with a snapshot, and was not built, has none, or another's has its name. */
  @Test
  void commandsPassOverAnIndexWithoutATableThatCanBeRead() throws IOException {
    admin.createIndex(
        name,
        IndexDefinition.on("j", Column.parse("f:other")).withOrder(EntryOrder.BY_TIME),
        CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.LEAVE_UNINDEXED));
    admin.disable(name, "j");
    TableName entries = TableName.valueOf(name + ".j");
    try (Admin hbase = MiniCluster.connection().getAdmin()) {
      if (hbase.isTableEnabled(entries)) {
        hbase.disableTable(entries);
      }
      assertPassesOverJ("i,16,16,8,", "i,16,8,8,", "disabled");
      hbase.deleteTable(entries);
      assertPassesOverJ("i,8,8,0,", "i,8,8,0,", "no index table");
      MiniCluster.utility().createTable(entries, COLUMN.family()).close();
      assertPassesOverJ("i,8,8,0,", "i,8,8,0,", "no index table");
      assertThat(hbase.isTableEnabled(entries)).isTrue();
      hbase.disableTable(TableName.valueOf(name + ".i"));
    }
    Outcome none = deli().run("collect", name.getNameAsString(), "--if-garbage", "0.1");
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.err()).contains("index i is not counted: ", "index j is not counted: ");
  }

  private void assertPassesOverJ(String counted, String collected, String why) {
    String table = name.getNameAsString();
    Outcome stats = deli().run("stats", table, "--format", "csv");
    assertThat(stats.code()).isEqualTo(3);
    assertThat(stats.out()).contains(counted, "j,,,,,");
    assertThat(stats.err()).contains("index j is not counted: ", why);
    assertThat(deli().run("stats", table, "i", "--format", "csv").code()).isZero();
    Outcome outcome = deli().run("collect", table, "--format", "csv");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains(collected).doesNotContain("j,");
    assertThat(outcome.err()).containsOnlyOnce("index j is not counted: ");
    Outcome left = deli().run("collect", table, "--if-garbage", "0.1");
    assertThat(left.code()).isZero();
    assertThat(left.err()).contains("nothing collected: 0.0 %", "index j is not counted: ");
  }

  /** Whoever may write the indexed column can put one. */
  @Test
  void commandsPassOverACellThatIsNoEntry() throws IOException {
    admin.createIndex(
        name,
        IndexDefinition.on("j", Column.parse("f:other")),
        CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.LEAVE_UNINDEXED));
    try (Table entries = MiniCluster.connection().getTable(TableName.valueOf(name + ".i"))) {
      entries.put(new Put(new byte[] {1}).addColumn(EntryCodec.family(), new byte[1], new byte[0]));
    }
    String table = name.getNameAsString();
    Outcome stats = deli().run("stats", table, "--format", "csv");
    assertThat(stats.code()).as(stats.err()).isZero();
    assertThat(stats.out()).contains("i,16,16,8,", "j,0,0,0,");
    Outcome collected = deli().run("collect", table, "--if-garbage", "0.4", "--format", "csv");
    assertThat(collected.code()).as(collected.err()).isZero();
    assertThat(collected.out()).contains("i,16,8,8,", "j,0,0,0,");
  }

  @Test
  void theCommandCollectsIfThereIsGarbage() {
    Cli deli = deli();
    String table = name.getNameAsString();

    Outcome left = deli.run("collect", table, "--if-garbage", "0.5");
    assertThat(left.code()).isZero();
    assertThat(left.err()).contains("nothing collected: 50.0 %");
    assertThat(deli.run("collect", table, "--if-garbage", "0.5", "--json").out())
        .contains("\"indexes\": []", "\"garbage_ratio\": 0.5");
    assertThat(deli.run("stats", table, "--regions", "--format", "csv").out())
        .containsPattern("(?m)^4,\\S+,0,0,$");

    Outcome collected =
        deli.run("collect", table, "--if-garbage", "0.4", "--older-than", "1", "--format", "csv");
    assertThat(collected.out()).contains("i,16,8,8,");
    assertThat(deli.run("stats", table, "--regions", "--format", "csv").out())
        .containsPattern("(?m)^4,\\S+,1,\\d+,\\d{13}$");
    assertThat(deli.run("stats", table, "--regions").out()).containsPattern("20\\d\\d-\\S+Z");
    assertThat(deli.run("stats", table, "--regions", "--millis").out()).containsPattern(" \\d{13}");
    assertThat(deli.run("collect", table, "--per-server", "0").code()).isEqualTo(2);
  }
}
