package io.deli.test.torture;

import io.deli.client.DeliConnection;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.Ruling;
import io.deli.lab.torture.ContendedReader;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.ContendedWriter;
import io.deli.lab.torture.QuerySource;
import io.deli.lab.torture.Repeaters;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/** Threads that contend for rows of certain kinds, round by round, and what both checkers say. */
public final class ContentionRun {
  public static final int VERSIONS = 3;

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final ContendedRows rows;
  private final CallHistory history = new CallHistory();
  private final Random seeds;
  private final List<Repeaters.Step> steps = new ArrayList<>();
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** What happens to the cluster meanwhile. */
  @FunctionalInterface
  public interface Course {
    void run() throws Exception;
  }

  /**
   * @param rowsOfEach kind
   */
  public ContentionRun(List<ContendedRows.Kind> kinds, int rowsOfEach, long seed) {
    this.rows = new ContendedRows(kinds, rowsOfEach);
    this.seeds = new Random(seed);
  }

  /** Adds threads that write. */
  public ContentionRun writing(Table table, int threads) {
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seeds.nextLong());
      steps.add(new ContendedWriter(table, rows, history, random, Long.MAX_VALUE)::step);
    }
    return this;
  }

  /** Adds threads that read, Gets by the table and queries by the source. */
  public ContentionRun reading(Table table, QuerySource source, int threads) {
    return reading(table, source, false, threads);
  }

  /** Adds threads that read by DELI, also page by page. */
  public ContentionRun reading(DeliConnection connection, TableName name, int threads)
      throws IOException {
    IndexDefinition byA = connection.getDeliAdmin().describe(name, ContendedRows.BY_A);
    boolean byKey =
        byA.order() == EntryOrder.BY_KEY && Strategies.named(byA.strategy()).ordersEntries();
    return reading(connection.getTable(name), QuerySource.of(connection, name), byKey, threads);
  }

  private ContentionRun reading(Table table, QuerySource source, boolean byKey, int threads) {
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seeds.nextLong());
      steps.add(new ContendedReader(table, source, byKey, rows, history, random)::step);
    }
    return this;
  }

  /** Lets all threads work for a while, and ends them. */
  public void round(Duration length) throws Exception {
    round(() -> Thread.sleep(length.toMillis()));
  }

  /** Lets all threads work while something happens, and ends them. */
  public void round(Course course) throws Exception {
    try (Repeaters threads = new Repeaters()) {
      steps.forEach(step -> threads.start(step, 0, done, failed));
      course.run();
      threads.end();
    }
  }

  /** What the checkers say of all rounds so far. */
  public Ruling ruling() {
    return history.ruling(VERSIONS);
  }

  /** Rounds until the checkers find something, or the time is up. */
  public Ruling search(Duration round, Duration most) throws Exception {
    return search(round, most, 0);
  }

  /**
   * Rounds until the checkers find something, or the time is up and enough calls were answered,
   * which takes longer on a busy machine.
   */
  public Ruling search(Duration round, Duration most, long least) throws Exception {
    long begun = System.nanoTime();
    Ruling ruling;
    do {
      round(round);
      ruling = ruling();
    } while (ruling.violations().isEmpty() && goesOn(begun, most, least));
    System.out.printf(
        "%s: %d violations, %d undecided after %d ms%n",
        this,
        ruling.violations().size(),
        ruling.undecided().size(),
        (System.nanoTime() - begun) / 1_000_000);
    return ruling;
  }

  /** Whether the time since is not up, or too few calls were answered, but not for good. */
  boolean goesOn(long begun, Duration most, long least) {
    long passed = System.nanoTime() - begun;
    return (passed < most.toNanos() || answered() <= least) && passed < LONGEST.toNanos();
  }

  public long answered() {
    return done.sum();
  }

  public long failed() {
    return failed.sum();
  }

  @Override
  public String toString() {
    return "%d calls answered, %d failed".formatted(done.sum(), failed.sum());
  }
}
