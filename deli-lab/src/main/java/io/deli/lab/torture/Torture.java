package io.deli.lab.torture;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.TimestampOracle;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.Outages;
import io.deli.lab.fault.Tormentor;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.Ruling;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.ContendedRows.Kind;
import io.deli.lab.torture.TortureWorkload.Contention;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Clients that write and read a small table at the same time while faults befall the cluster;
 * afterwards, every answer is judged by the history, and base and indexes are compared.
 *
 * <p>In the manner of Jepsen: a history of calls with their begin and end, and a checker that knows
 * what HBase promises. Choices are drawn from a seed; how threads meet is not.
 */
public final class Torture {
  @FunctionalInterface
  public interface Connector {
    DeliConnection connect(TimestampOracle oracle) throws IOException;
  }

  private final Connection plain;
  private final TableName name;
  private final TortureWorkload workload;
  private final Connector connector;
  private final long seed;
  private final History history = new History();
  private final CallHistory calls = new CallHistory();
  private final Outages outages = new Outages();
  private final ContendedRows contended;
  private final LongAdder writes = new LongAdder();
  private final LongAdder failedWrites = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder failedReads = new LongAdder();
  private final SortedMap<String, Integer> befallen = new TreeMap<>();
  private final long least;

  /**
   * @param least writes that succeed before {@link #run} ends, and a third as many reads, for forty
   *     times its length at most: a busy machine takes longer
   */
  public Torture(
      Connection plain,
      TableName name,
      TortureWorkload workload,
      Connector connector,
      long seed,
      long least) {
    this.plain = plain;
    this.name = name;
    this.workload = workload;
    this.connector = connector;
    this.seed = seed;
    this.least = least;
    this.contended = new ContendedRows(List.of(Kind.values()), workload.contention().rows());
  }

  private boolean isEnough(long passed, Duration length) {
    return passed >= 40 * length.toNanos()
        || (passed >= length.toNanos() && writes.sum() > least && reads.sum() > least / 3);
  }

  /**
   * Creates the table, which is left there, and runs.
   *
   * @param length at least; longer until each fault has befallen, or was refused again and again
   * @param interval between two faults
   */
  public TortureReport run(
      List<Fault> faults, Duration length, Duration interval, ProgressListener progress)
      throws Exception {
    workload.create(plain, name);
    List<Client> clients = new ArrayList<>();
    try (Repeaters threads = new Repeaters()) {
      for (int client = 0; client < TortureWorkload.CLIENTS; client++) {
        // One clock runs ahead: what that client writes stays the newest for a while.
        Client.Clock clock = new Client.Clock(workload.aheadMillis(client));
        clients.add(new Client(connector.connect(clock), name, clock, workload.rowNames()));
      }
      Random seeds = new Random(seed);
      for (Client client : clients) {
        start(client, threads, seeds);
      }
      torment(faults, length, interval, progress, threads);
      threads.end();
      return report(progress);
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }

  private void start(Client client, Repeaters threads, Random seeds) throws IOException {
    long pause = workload.pauseMillis();
    for (int i = 0; i < TortureWorkload.WRITERS; i++) {
      Writer writer = new Writer(client, history, new Random(seeds.nextLong()));
      threads.start(writer::step, pause, writes, failedWrites);
    }
    for (int i = 0; i < TortureWorkload.READERS; i++) {
      Random random = new Random(seeds.nextLong());
      Reader reader = new Reader(client.table(), client.asyncTable(), workload, history, random);
      threads.start(reader::step, pause, reads, failedReads);
    }
    Contention contention = workload.contention();
    DeliTable table = client.table();
    long retryNanos =
        contention.lossy() ? ContendedWriter.retryNanos(client.connection()) : Long.MAX_VALUE;
    for (int i = 0; i < contention.threads(); i++) {
      ContendedWriter writer =
          new ContendedWriter(table, contended, calls, new Random(seeds.nextLong()), retryNanos);
      threads.start(writer::step, contention.pauseMillis(), writes, failedWrites);
      ContendedReader reader =
          new ContendedReader(
              table,
              QuerySource.of(client.connection(), name),
              workload.ordersByKey(),
              contended,
              calls,
              new Random(seeds.nextLong()));
      threads.start(reader::step, contention.pauseMillis(), reads, failedReads);
    }
  }

  private void torment(
      List<Fault> faults,
      Duration length,
      Duration interval,
      ProgressListener progress,
      Repeaters threads)
      throws InterruptedException, ExecutionException {
    Tormentor tormentor = new Tormentor(faults, new Random(seed), outages);
    long begun = System.nanoTime();
    long passed = 0;
    while (!tormentor.isThrough() || !isEnough(passed, length)) {
      progress.progress(
          "torture",
          Math.min(Duration.ofNanos(passed).toSeconds(), length.toSeconds()),
          length.toSeconds());
      Thread.sleep(interval.toMillis());
      threads.check();
      long befell = System.nanoTime();
      Optional<String> outcome = tormentor.next();
      if (outcome.isPresent()) {
        history.befell(outcome.get(), new Span(befell, System.nanoTime()));
        befallen.merge(outcome.get(), 1, Integer::sum);
      }
      passed = System.nanoTime() - begun;
    }
  }

  private TortureReport report(ProgressListener progress) throws IOException, InterruptedException {
    progress.progress("settling", 0, 0);
    long pause = workload.graceMillis() + workload.skewMillis() / 2;
    Audit audit =
        Audit.settled(
            plain.getConfiguration(),
            name,
            workload.graceMillis(),
            Duration.ofMillis(pause),
            progress);
    progress.progress("checking", 0, 0);
    history.resolve(Writer.timestamps(plain, name));
    Outages.State known = outages.now();
    return new TortureReport(
        seed,
        writes.sum(),
        failedWrites.sum(),
        reads.sum(),
        failedReads.sum(),
        befallen,
        new HistoryChecker(history, known, TortureWorkload.VERSIONS).violations(),
        calls.ruling(TortureWorkload.VERSIONS, known::explaining, known::explaining),
        audit);
  }

  /**
   * The operations of a torture and their results.
   *
   * @param violations answers that no order of the writes explains; none if all is well
   * @param ruling on the rows that clients contended for
   * @param audit base and indexes in the end
   */
  public record TortureReport(
      long seed,
      long writes,
      long failedWrites,
      long reads,
      long failedReads,
      SortedMap<String, Integer> faults,
      List<String> violations,
      Ruling ruling,
      Audit audit) {
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add("seed " + seed);
      lines.add("writes " + writes + ", failed " + failedWrites);
      lines.add("reads " + reads + ", failed " + failedReads);
      faults.forEach((name, times) -> lines.add(name + ": " + times));
      lines.add(audit.line());
      lines.addAll(audit.findings());
      lines.add("answers that nothing explains: " + violations.size());
      lines.addAll(violations);
      lines.add("rows and queries that no order explains: " + ruling.violations().size());
      lines.addAll(ruling.violations());
      lines.add("rows undecided: " + ruling.undecided().size());
      lines.addAll(ruling.undecided());
      return lines;
    }

    /** Whether anything was written and read, and nothing is wrong with it. */
    public boolean isClean() {
      return writes > 0
          && reads > 0
          && violations.isEmpty()
          && ruling.violations().isEmpty()
          && audit.isExact();
    }
  }
}
