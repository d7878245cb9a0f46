package io.deli.simulation;

import static io.deli.simulation.Worker.values;

import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HConstants;

/**
 * One history: a few clients, DELI's own, on a few rows of a model of HBase, amid troubles; then
 * what the judges say. The same seed gives the same history.
 */
final class Simulation {
  static final int CALLS = 50;

  /** A cell with any is gone by the end. */
  private static final long LONGEST_TTL_MILLIS = 5_000;

  private static final List<String> STRATEGIES =
      List.of("deferred", Deployment.NEWEST, "composite", "in-place");
  private static final int VALUES = 4;

  private final World world;
  private final Chance chance;
  private final ModelCluster cluster;
  private final Deployment deployment;
  private final IndexKind kind;

  /** Whether Puts and Deletes may have timestamps of the application's, and Puts a TTL. */
  private final boolean peculiar;

  private final CallHistory history = new CallHistory();
  private final List<Worker> workers = new ArrayList<>();
  private int calls;
  private final boolean collects;
  private final int rows;
  private long longestPauseMicros;
  private final boolean calm;
  private final int most;

  /**
   * What came of a history.
   *
   * @param calls that were made
   * @param violations empty if nothing was wrong
   * @param trace what happened, if it was asked for
   */
  record Outcome(int calls, List<String> violations, List<String> trace) {}

  private Simulation(
      long seed,
      Supplier<LogStructuredStore> stores,
      IndexKind kind,
      Optional<Defect> planted,
      int most,
      boolean traced) {
    this.most = most;
    this.kind = kind;
    // Not drawn with the rest, either.
    Chance besides = Chance.of(seed ^ 0x5DEECE66DL);
    peculiar = planted.isEmpty() && besides.oneIn(3);
    chance = Chance.of(seed);
    calm = chance.oneIn(8);
    longestPauseMicros = chance.oneIn(3) ? 3_000_000 : 200_000;
    world = new World(chance, planted, traced);
    cluster = new ModelCluster(world, new Courier(world, calm ? 0 : 10 + (int) chance.below(30)));
    String any = STRATEGIES.get((int) chance.below(STRATEGIES.size()));
    // The seeds by which defects are found are of histories without.
    String strategy = planted.isPresent() && any.equals(Deployment.NEWEST) ? "deferred" : any;
    collects = strategy.equals("deferred") || strategy.equals(Deployment.NEWEST);
    int versions = 1 + (int) chance.below(2) + (peculiar ? (int) besides.below(2) : 0);
    boolean colocated =
        planted.isEmpty() ? besides.oneIn(2) : planted.get() == Defect.ROWS_UNCHECKED;
    deployment = new Deployment(cluster, stores, strategy, kind, versions, colocated);
    rows = 1 + (int) chance.below(4);
    int clients = calm ? 1 : 2 + (int) chance.below(2);
    for (int i = 0; i < clients; i++) {
      begin(new World.Node("client " + i, skew()));
    }
  }

  /** Runs one with a defect, and with so many calls at most. */
  static Outcome run(long seed, Optional<Defect> planted, int most, boolean traced) {
    return run(seed, MemoryStore::new, planted, most, traced);
  }

  /** Runs one on other stores. */
  static Outcome run(
      long seed,
      Supplier<LogStructuredStore> stores,
      Optional<Defect> planted,
      int most,
      boolean traced) {
    // Not drawn with the rest: the seeds by which defects are found are of plain indexes.
    IndexKind kind = planted.isPresent() ? IndexKind.PLAIN : IndexKind.of(Chance.of(~seed));
    return run(new Simulation(seed, stores, kind, planted, most, traced));
  }

  /** Runs one with a defect on indexes of a kind. */
  static Outcome run(long seed, IndexKind kind, Defect planted) {
    return run(new Simulation(seed, MemoryStore::new, kind, Optional.of(planted), CALLS, false));
  }

  private static Outcome run(Simulation simulation) {
    try {
      return simulation.run();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing that the model does fails", e);
    }
  }

  /** By less than half of the grace, as repair asks for. */
  private long skew() {
    long most = Deployment.GRACE_MILLIS / 2 - 100;
    return calm || chance.oneIn(2) ? 0 : chance.below(2 * most) - most;
  }

  private void begin(World.Node process) {
    Worker worker =
        peculiar
            ? new Worker(cluster, process, deployment, history, peculiarities(process))
            : new Worker(cluster, process, deployment, history);
    workers.add(worker);
    next(worker);
  }

  private Worker.Habits peculiarities(World.Node process) {
    return new Worker.Habits() {
      /** Not where copies of a Put come late: one may outlive a delete, and the entry. */
      @Override
      public long timestamp() {
        if (!calm) {
          return HConstants.LATEST_TIMESTAMP;
        }
        long behind = chance.below(chance.oneIn(2) ? 20 : Deployment.GRACE_MILLIS) - 10;
        return chance.oneIn(2) ? HConstants.LATEST_TIMESTAMP : world.millis(process) - behind;
      }

      @Override
      public OptionalLong ttlMillis() {
        return chance.oneIn(3)
            ? OptionalLong.of(1 + chance.below(LONGEST_TTL_MILLIS))
            : OptionalLong.empty();
      }
    };
  }

  /** Has a client make its next call after a while. */
  private void next(Worker worker) {
    world.after(
        pauseMicros(),
        worker.process(),
        () -> {
          if (calls < most) {
            calls++;
            var unused = call(worker).thenRun(() -> next(worker));
          }
        });
  }

  private long pauseMicros() {
    return chance.below(chance.oneIn(4) ? longestPauseMicros : 3_000);
  }

  private String row() {
    return "k" + chance.below(rows);
  }

  private String value() {
    return "m" + chance.below(VALUES);
  }

  private String column() {
    return chance.oneIn(3) ? Worker.B : Worker.A;
  }

  /** Values for a Put that is to write a column. */
  private SortedMap<String, String> some(String column) {
    SortedMap<String, String> values = values(column, value());
    if (!kind.takes(values)) {
      values.put(column.equals(Worker.A) ? Worker.B : Worker.A, value());
    }
    return values;
  }

  private SortedMap<String, String> both() {
    SortedMap<String, String> values = values(Worker.A, value());
    values.put(Worker.B, value());
    return values;
  }

  private CompletableFuture<Void> call(Worker worker) {
    return switch ((int) chance.below(16)) {
      case 0, 1, 2, 3 -> worker.put(values(row(), some(column())));
      case 4 -> worker.put(values(row(), both()));
      case 5 -> {
        SortedMap<String, SortedMap<String, String>> two = values("k0", some(column()));
        two.put("k1", some(column()));
        yield worker.put(two);
      }
      case 6 -> worker.delete(row(), chance.oneIn(2) ? Set.of() : kind.deletedWith(column()));
      case 7 ->
          kind.isWhole()
              ? worker.replace(row(), Worker.A, value(), Worker.B)
              : compound(worker, row());
      case 8 -> change(worker, true);
      case 9 -> change(worker, false);
      case 10, 11 -> worker.get(row());
      default -> worker.query(condition());
    };
  }

  /** One of the calls that only histories of other than plain indexes have. */
  private CompletableFuture<Void> compound(Worker worker, String row) {
    return switch ((int) chance.below(4)) {
      case 0 -> worker.putTwice(row, some(column()), some(column()));
      case 1 -> worker.atOnce(row, new Step.Write(both()), afterPut());
      case 2 -> {
        String column = column();
        yield worker.remove(row, kind.deletedWith(column), column, value());
      }
      default -> worker.put(values(row, both()));
    };
  }

  /** A step that may follow a Put of both columns. */
  private Step afterPut() {
    SortedMap<String, String> values = values(Worker.B, value());
    return kind.takes(values) ? new Step.Write(values) : Worker.removal(kind.deletedWith(column()));
  }

  private CompletableFuture<Void> change(Worker worker, boolean present) {
    String row = row();
    String column = column();
    Optional<String> from = present ? Optional.of(value()) : Optional.empty();
    return worker.change(row, column, from, some(column));
  }

  private QueryCondition condition() {
    QueryCondition equal = QueryCondition.equal(column(), value());
    return switch ((int) chance.below(7)) {
      case 0 -> new QueryCondition.Between(column(), "m0", "m3");
      case 5 -> new QueryCondition.Between(column(), "m1", "m2");
      case 1 -> new QueryCondition.Either(equal, QueryCondition.equal(column(), value()));
      case 2 ->
          new QueryCondition.Both(
              QueryCondition.equal(Worker.A, value()), QueryCondition.equal(Worker.B, value()));
      default -> equal;
    };
  }

  private void trouble() {
    try {
      switch ((int) chance.below(calm ? 4 : 8)) {
        case 0, 1 -> region().flush();
        case 2, 3 -> compact();
        case 4 -> crash();
        case 5 -> pause();
        case 6 -> restart();
        default -> worker().process().skew(skew());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("nothing that the model does fails", e);
    }
  }

  private ObservedRegion region() {
    return deployment.regions().get(place());
  }

  private int place() {
    return chance.oneIn(2) ? 0 : (int) chance.below(deployment.regions().size());
  }

  private Worker worker() {
    return workers.get((int) chance.below(workers.size()));
  }

  private void compact() throws IOException {
    ObservedRegion region = region();
    int files = region.region().store().countFiles();
    if (files > 0 && region.region().isOpen()) {
      int from = chance.oneIn(2) ? 0 : (int) chance.below(files);
      region.compact(from, chance.oneIn(2) ? files : from + 1 + (int) chance.below(files - from));
    }
  }

  private void crash() {
    int place = place();
    if (deployment.regions().get(place).region().isOpen()) {
      deployment.crash(place, 50 + chance.below(chance.oneIn(3) ? 4_000 : 500));
    }
  }

  private void pause() {
    World.Node process =
        workers.stream()
            .filter(each -> !each.isIdle())
            .findFirst()
            .orElseGet(this::worker)
            .process();
    long millis = chance.below(2 * Deployment.GRACE_MILLIS);
    world.tell(process, () -> "stands still for %d ms".formatted(millis));
    if (chance.oneIn(2)) {
      process.pauseAtAnswer(millis * 1_000_000);
    } else {
      process.pause(world.nanos(), millis * 1_000_000);
    }
    // Else the others have made all calls before it goes on.
    longestPauseMicros = Math.max(longestPauseMicros, 1_000 * millis);
  }

  private void restart() {
    Worker worker = worker();
    world.tell(worker.process(), () -> "crashes");
    worker.crash();
    workers.remove(worker);
    begin(worker.process());
  }

  private Outcome run() throws IOException {
    List<String> violations = new ArrayList<>();
    while (calls < most) {
      world.run(1 + chance.below(longestPauseMicros / 1_000));
      if (chance.oneIn(2)) {
        trouble();
      }
    }
    world.run(10_000);
    // The loser of two versions of one timestamp in a list goes unseen: readers find its entry.
    boolean collected = calm && collects && !peculiar;
    new Ending(world, deployment, workers.get(0), history, calm, collected).judge(violations);
    if (!peculiar) {
      // Else the last write is not the one that counts.
      violations.addAll(history.ruling(1).violations());
    }
    return new Outcome(calls, violations, world.trace());
  }
}
