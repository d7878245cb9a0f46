package io.deli.test.model;

import io.deli.client.CollectOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.Maintenance;
import io.deli.lab.torture.TortureWorkload;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One random history on a table of its own; decided by its seed and length alone. Others may run
 * beside it.
 */
public final class ModelRun implements AutoCloseable {
  private static final int SMALL_PAGE = 3;
  private static final int LARGE_PAGE = 64;
  private static final List<String> BASE_SPLITS = List.of("r1", "r5", "a");
  private static final List<String> INDEX_SPLITS = List.of("v1", "b", "re");

  private final long seed;
  private final Random random;
  private final TestTime time = new TestTime();
  private final ModelTable model = Schema.model();
  private final History history = new History();
  private final TableName name = MiniCluster.uniqueTable("model");
  private final DeliConnection connection;
  private final DeliConnection other;
  private final DeliTable table;
  private final Table plain;
  private final Reads reads;
  private final Writes writes;
  private final Queries queries;
  private final Samples samples;
  private final Upheavals upheavals;
  private final IndexCheck repaired;
  private final IndexCheck swept;
  private final Stopwatch stopwatch = new Stopwatch();
  private final int operations;
  private final List<ModelIndex> kept;
  private final boolean alone;
  private int number;

  /** With all kinds of index by the one strategy; a region server dies meanwhile. */
  public static ModelRun by(String strategy, long seed, int operations) throws IOException {
    return new ModelRun(
        seed, operations, Schema.INDEXES.stream().map(index -> index.by(strategy)).toList(), true);
  }

  /** The same with indexes that region servers maintain. */
  public static ModelRun servedBy(String strategy, long seed, int operations) throws IOException {
    return new ModelRun(
        seed,
        operations,
        Schema.INDEXES.stream()
            .map(index -> index.by(strategy).maintainedBy(Maintenance.SERVER))
            .toList(),
        true);
  }

  /**
   * With indexes by several strategies on the same columns, in turns; a region server dies
   * meanwhile.
   */
  public static ModelRun mixing(List<String> strategies, long seed, int operations)
      throws IOException {
    List<ModelIndex> mixed = new ArrayList<>();
    for (ModelIndex index : Schema.INDEXES) {
      mixed.add(index.by(strategies.get(mixed.size() % strategies.size())));
    }
    return new ModelRun(seed, operations, mixed, true);
  }

  /**
   * @param indexes of {@link Schema#INDEXES}, or the same by other strategies; every other one is
   *     salted, if its strategy can
   * @param alone whether no other history needs the region server that dies; there are fewer splits
   *     then
   */
  ModelRun(long seed, int operations, List<ModelIndex> indexes, boolean alone) throws IOException {
    this.seed = seed;
    this.operations = operations;
    this.alone = alone;
    kept =
        IntStream.range(0, indexes.size())
            .mapToObj(i -> (seed + i) % 2 == 0 ? indexes.get(i) : indexes.get(i).salted())
            .toList();
    random = new Random(seed);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(Schema.table(name), new byte[][] {Bytes.toBytes("m"), Bytes.toBytes("r3")});
    }
    connection = TestConnection.open(time, LARGE_PAGE);
    other = TestConnection.open(time, SMALL_PAGE);
    DeliAdmin admin = DeliAdmin.of(connection);
    for (ModelIndex index : kept) {
      admin.createIndex(name, index.definition());
    }
    Set<Column> drawnFor =
        kept.stream()
            .filter(index -> !index.isScanned() && !index.isServed())
            .map(ModelIndex::column)
            .collect(Collectors.toSet());
    if (onlyScanned() || areServed()) {
      drawnFor.add(Schema.UNUSED.column());
      // So that the client draws timestamps, by which the model knows its writes.
      admin.createIndex(name, Schema.UNUSED);
    }
    table = connection.getTable(name);
    plain = MiniCluster.connection().getTable(name);
    reads = new Reads(random, model, plain, List.of(table, other.getTable(name)));
    writes = new Writes(random, time, model, drawnFor);
    queries = new Queries(random, time, model, kept);
    samples = new Samples(random);
    upheavals = new Upheavals(random);
    repaired = check(ModelIndex::isRepaired);
    swept = check(index -> !index.isScanned());
  }

  /** Then nothing is refused, for no entry has to fit. */
  private boolean onlyScanned() {
    return kept.stream().allMatch(ModelIndex::isScanned);
  }

  /** Then what is refused of a list is refused by each region for itself. */
  private boolean areServed() {
    return kept.stream().anyMatch(ModelIndex::isServed);
  }

  private IndexCheck check(Predicate<ModelIndex> which) {
    return new IndexCheck(kept.stream().filter(which).toList(), name, plain, table);
  }

  /**
   * The whole of it; fails with all that is needed to find out why.
   *
   * @return where the time went
   */
  public Stopwatch run() {
    try {
      walk(operations / 2);
      collect(CollectOptions.DEFAULT.withSweep(false));
      stopwatch.time("repair", () -> repaired.repairAll(time));
      walk(operations);
      // What servers restored is as old then as all that clients wrote.
      TimeUnit.MILLISECONDS.sleep(Schema.SERVERS_GRACE_MILLIS);
      collect(CollectOptions.DEFAULT);
      swept.assertExact();
      return stopwatch;
    } catch (Exception | AssertionError e) {
      throw report(e);
    }
  }

  private AssertionError report(Throwable e) {
    List<byte[]> rows = e instanceof Divergence divergence ? divergence.rows() : List.of();
    return new AssertionError(
        "seed %d, operation %d: %s\nreplay with -Ddeli.seed=%d -Ddeli.histories=1 -Ddeli.operations=%d\nindexes %s\n%s"
            .formatted(seed, number, e.getMessage(), seed, operations, kept, history.of(rows)),
        e);
  }

  private void walk(int last) throws Exception {
    while (number < last) {
      number++;
      time.advance(20 + random.nextInt(160));
      split();
      if (alone && number == operations * 9 / 20) {
        act("kill a server of", name, upheavals::kill);
        model.recover();
      }
      int dice = random.nextInt(10_000);
      if (dice < 190) {
        upheaval(dice);
      } else if (dice < 7_300) {
        stopwatch.time("writes", () -> write(writes.draw()));
      } else if (dice < 7_400 && !onlyScanned() && !areServed()) {
        stopwatch.time("writes", () -> refuse(writes.refused()));
      } else if (dice < 7_800) {
        stopwatch.time("gets", () -> reads.get(samples.row()));
      } else {
        stopwatch.time("queries", () -> reads.query(queries.draw()));
      }
    }
  }

  private void split() throws Exception {
    for (int i = 0; i < (alone ? 1 : BASE_SPLITS.size()); i++) {
      if (number == operations * (i + 1) / 5) {
        split(name, BASE_SPLITS.get(i));
        compacted();
      }
      if (number == operations * (2 * i + 3) / 10 + 1) {
        ModelIndex index = kept.get(i == 0 ? 0 : 2 * i);
        if (!index.isScanned()) {
          split(tableOf(index), INDEX_SPLITS.get(i));
        }
      }
    }
  }

  private void split(TableName what, String at) throws Exception {
    history.addUpheaval(number, "split " + what + " at " + at);
    stopwatch.time("split", () -> upheavals.split(what, Bytes.toBytes(at)));
  }

  private TableName tableOf(ModelIndex index) {
    return IndexDefinitions.indexTable(name, index.name());
  }

  private interface Act {
    void on(TableName table) throws Exception;
  }

  private void upheaval(int dice) throws Exception {
    ModelIndex picked = samples.pick(kept);
    TableName index = picked.isScanned() ? name : tableOf(picked);
    if (dice < 60) {
      act("flush a region of", name, upheavals::flushOneRegion);
    } else if (dice < 90) {
      act("flush", name, upheavals::flush);
    } else if (dice < 132) {
      act("compact some files of", name, upheavals::compactSome);
    } else if (dice < 140) {
      compact(name);
    } else if (dice < 165) {
      act("flush", index, upheavals::flush);
    } else if (dice < 171) {
      compact(index);
    } else {
      act("move a region of", dice < 179 ? name : index, upheavals::move);
    }
  }

  private void act(String what, TableName on, Act act) throws Exception {
    history.addUpheaval(number, what + " " + on);
    stopwatch.time(what + (on.equals(name) ? " base" : " index"), () -> act.on(on));
  }

  private void compact(TableName what) throws Exception {
    act("compact", what, upheavals::compactAll);
    if (what.equals(name)) {
      compacted();
    }
  }

  private void compacted() throws IOException {
    reads.compareBase();
    model.compact();
    reads.compareBase();
    reads.compareRaw();
  }

  private void write(Operation operation) throws Exception {
    // Conditions and deletes of the latest version depend on what is seen now.
    for (Row action : operation.actions()) {
      reads.settle(action.getRow());
    }
    IdentityHashMap<Row, Long> stamps = new IdentityHashMap<>();
    note(operation, stamps);
    Optional<Boolean> held = operation.sending().send(connection, table);
    for (Row action : operation.actions()) {
      long stamp = 0;
      if (Operation.needsStamp(action)) {
        byte[] row = action.getRow();
        stamp = operation.isBuffered() ? time.takeLast(row) : time.take(row);
        stamps.put(action, stamp);
      }
      boolean holds = model.apply(action, stamp);
      if (action instanceof CheckAndMutate && held.orElse(!holds) != holds) {
        throw new Divergence(
            "the condition should have been %s: %s".formatted(holds, operation),
            List.of(action.getRow()));
      }
    }
    note(operation, stamps);
    int left = time.forget();
    if (left > 0) {
      throw new AssertionError(left + " timestamps drawn too many: " + operation);
    }
  }

  private void note(Operation operation, IdentityHashMap<Row, Long> stamps) {
    operation.byRow(stamps).forEach((row, text) -> history.put(number, row, text));
  }

  private void refuse(Operation operation) throws Exception {
    try {
      operation.sending().send(connection, table);
    } catch (IOException e) {
      time.forget();
      for (Row action : operation.actions()) {
        reads.get(action.getRow());
      }
      return;
    }
    throw new AssertionError("should have been refused: " + operation);
  }

  private void collect(CollectOptions options) throws Exception {
    history.addUpheaval(number, "collect");
    reads.compareBase();
    stopwatch.time(
        "collections",
        () -> DeliAdmin.of(connection).collect(name, options, ProgressListener.NONE));
    compacted();
  }

  @Override
  public void close() throws IOException {
    plain.close();
    connection.close();
    other.close();
    TortureWorkload.drop(MiniCluster.connection(), name);
  }
}
