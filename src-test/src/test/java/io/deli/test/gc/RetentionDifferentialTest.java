package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexTables;
import io.deli.strategy.BaseVersion;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.gc.RetentionHistory.Trait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random histories on a region with DELI and on its twins without: the same cells live after every
 * step. {@code -Ddeli.seed=N} replays a seed, {@code random} draws one.
 *
 * <p>Where HBase's own answer depends on when it flushed, the twin is an HBase with an old reader,
 * whose flushes must keep everything, too: so one of the answers that HBase could have given is
 * known exactly. Columns without index are compared with HBase alone, and in calm histories, where
 * HBase has but one answer, so are indexed ones.
 */
class RetentionDifferentialTest {
  private static final int ROUNDS = Integer.getInteger("deli.rounds", 56);
  private static final int ROWS = 40;
  private static final int STEPS = 8;
  private static final TableName BASE = TableName.valueOf("retention_twins");
  private static final IndexDefinition DEFINITION =
      IndexDefinition.on("by_q", Column.of(RetentionHistory.FAMILY, RetentionHistory.INDEXED));

  private static Index index;

  @BeforeAll
  static void createIndexTable() throws IOException {
    TableDescriptor base = table(new RetentionHistory(new Random(0), Set.of(), 0));
    MiniCluster.utility().getAdmin().createTable(IndexTables.descriptor(base, DEFINITION));
    index = Index.of(BASE, DEFINITION);
  }

  private static TableDescriptor table(RetentionHistory history) {
    return IndexDefinitions.put(
            TableDescriptorBuilder.newBuilder(BASE)
                .setColumnFamily(history.family())
                .setValue("deli.gc.window.bytes", Long.toString(history.windowBytes())),
            DEFINITION)
        .build();
  }

  @Test
  void keepsWhatHBaseKeeps() throws Exception {
    String wanted = System.getProperty("deli.seed", "20261120");
    long seed = wanted.equals("random") ? System.nanoTime() : Long.parseLong(wanted);
    System.out.println("RetentionDifferentialTest: -Ddeli.seed=" + seed);
    Random seeds = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(seeds.nextLong());
      run(
          "seed %d, round %d".formatted(seed, round),
          new RetentionHistory(random, traits(round), System.currentTimeMillis()),
          round);
    }
  }

  private static Set<Trait> traits(int round) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (round % 4 == 0) {
      traits.add(Trait.CALM);
    }
    if (round % 5 == 1) {
      traits.add(Trait.NEW_VERSIONS);
    } else if (round % 3 == 1) {
      traits.add(Trait.CUT);
    } else if (round % 2 == 0) {
      traits.add(Trait.NAMELESS_COLUMN);
    }
    return traits;
  }

  private static void run(String what, RetentionHistory history, int round) throws Exception {
    TableDescriptor table = table(history);
    String where =
        what
            + " "
            + table.getColumnFamilies()[0]
            + " window "
            + table.getValue("deli.gc.window.bytes");
    try (TwinRegion deli = TwinRegion.create(TwinRegion.Kind.DELI, table);
        TwinRegion held = TwinRegion.create(TwinRegion.Kind.HELD, table);
        TwinRegion plain = TwinRegion.create(TwinRegion.Kind.PLAIN, table)) {
      List<TwinRegion> twins = List.of(deli, held, plain);
      for (int step = 0; step < STEPS; step++) {
        write(history, round, step, twins);
        String action = act(history.random(), twins);
        compare(where + " step " + step + " " + action, history.has(Trait.CALM), deli, held, plain);
      }
      deli.flush();
      deli.major();
      assertThat(entries(round)).as(where).containsExactlyInAnyOrderElementsOf(present(deli));
    }
  }

  private static void write(RetentionHistory history, int round, int step, List<TwinRegion> twins)
      throws IOException {
    List<Put> entries = new ArrayList<>();
    List<Mutation> writes = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      for (Mutation write : history.writes(Bytes.toBytes("r" + round + "-" + row), step)) {
        if (write instanceof Put put) {
          entries.addAll(identified(put, history.random().nextLong()));
        }
        writes.add(write);
      }
    }
    try (Table table = MiniCluster.connection().getTable(index.table())) {
      table.put(entries);
    }
    for (TwinRegion twin : twins) {
      for (Mutation write : writes) {
        twin.apply(write instanceof Put put ? new Put(put) : write);
      }
    }
  }

  private static List<Put> identified(Put put, long random) {
    WriteId id = WriteId.of(System.currentTimeMillis(), random);
    put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    List<Put> entries = new ArrayList<>();
    for (Cell cell : put.get(RetentionHistory.FAMILY, RetentionHistory.INDEXED)) {
      entries.addAll(
          index
              .strategy()
              .write(
                  index,
                  new BaseVersion(
                      put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id)));
    }
    if (put.getTTL() != Long.MAX_VALUE) {
      entries.forEach(entry -> entry.setTTL(put.getTTL()));
    }
    return entries;
  }

  private static String act(Random random, List<TwinRegion> twins) throws Exception {
    int action = random.nextInt(6);
    for (TwinRegion twin : twins) {
      switch (action) {
        case 0 -> twin.compactInMemory();
        case 1 -> twin.flush();
        case 2 -> twin.major();
        case 3 -> {
          twin.flush();
          twin.major();
        }
        default -> {
          twin.flush();
          twin.minor();
        }
      }
    }
    return List.of("in memory", "flush", "major", "flush+major", "minor", "minor").get(action);
  }

  private static void compare(
      String where, boolean calm, TwinRegion deli, TwinRegion held, TwinRegion plain)
      throws IOException {
    List<String> all = live(deli, null);
    assertThat(live(deli, true)).as(where).isEqualTo(live(held, true));
    assertThat(live(deli, false)).as(where).isEqualTo(live(plain, false));
    if (calm) {
      assertThat(all).as(where).isEqualTo(live(plain, null));
    }
  }

  /** Live cells of the indexed column, of the others, or (null) of all. */
  private static List<String> live(TwinRegion twin, Boolean indexed) throws IOException {
    return twin.scan(new Scan().readAllVersions()).stream()
        .filter(
            cell ->
                indexed == null
                    || indexed == CellUtil.matchingQualifier(cell, RetentionHistory.INDEXED))
        .map(RetentionDifferentialTest::text)
        .toList();
  }

  private static String text(Cell cell) {
    return CellUtil.getCellKeyAsString(cell) + "=" + Bytes.toString(CellUtil.cloneValue(cell));
  }

  /** The entries of all versions that lie in the region's files, dead ones included. */
  private static List<String> present(TwinRegion deli) throws IOException {
    return deli.scan(new Scan().setRaw(true).readAllVersions()).stream()
        .filter(cell -> cell.getType() == Cell.Type.Put)
        .filter(cell -> index.column().matches(cell))
        .map(
            cell ->
                IndexedTable.entry(
                    Bytes.toString(CellUtil.cloneValue(cell)),
                    Bytes.toString(CellUtil.cloneRow(cell)),
                    cell.getTimestamp()))
        .toList();
  }

  private static List<String> entries(int round) throws IOException {
    List<String> entries = new ArrayList<>();
    try (Table table = MiniCluster.connection().getTable(index.table());
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          var entry = index.codec().decode(cell);
          String key = Bytes.toString(entry.key());
          if (key.startsWith("r" + round + "-")) {
            entries.add(IndexedTable.entry(Bytes.toString(entry.token()), key, entry.timestamp()));
          }
        }
      }
    }
    return entries;
  }
}
