package io.deli.lab.torture;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ProgressListener;
import io.deli.client.TimestampOracle;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.Outages;
import io.deli.lab.fault.Tormentor;
import io.deli.lab.judge.CallHistory;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.ContendedRows.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;

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

  /** For what remains to be repaired or collected in the background. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

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
  private volatile boolean over;
  private long least;

  public Torture(
      Connection plain, TableName name, TortureWorkload workload, Connector connector, long seed) {
    this.plain = plain;
    this.name = name;
    this.workload = workload;
    this.connector = connector;
    this.seed = seed;
    this.contended = new ContendedRows(List.of(Kind.values()), workload.contention().rows());
  }

  /**
   * Has {@link #run} go on until so many writes succeeded and a third as many reads, for ten times
   * its length at most: a busy machine takes longer.
   */
  public Torture withAtLeast(long writesThatSucceed) {
    least = writesThatSucceed;
    return this;
  }

  private boolean isEnough(long passed, Duration length) {
    return passed >= 10 * length.toNanos()
        || (passed >= length.toNanos() && writes.sum() > least && reads.sum() > least / 3);
  }

  /**
   * Creates the table, which is left there, and runs.
   *
   * @param length at least; longer until each fault has befallen
   * @param interval between two faults
   */
  public TortureReport run(
      List<Fault> faults, Duration length, Duration interval, ProgressListener progress)
      throws Exception {
    TortureTable.create(plain, name, workload);
    List<Client> clients = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int client = 0; client < TortureWorkload.CLIENTS; client++) {
        clients.add(client(client));
      }
      List<Future<?>> running = start(clients, threads);
      torment(faults, length, interval, progress, running);
      over = true;
      for (Future<?> thread : running) {
        thread.get();
      }
      Audit audit = settle(clients.get(0), progress);
      return report(audit, progress);
    } finally {
      over = true;
      threads.shutdownNow();
      for (Client client : clients) {
        client.close();
      }
    }
  }

  private Client client(int number) throws IOException {
    // One clock runs ahead: what that client writes stays the newest for a while.
    ClientClock clock = new ClientClock(workload.aheadMillis(number));
    return new Client(connector.connect(clock), name, clock, workload.rowNames());
  }

  private interface Step {
    boolean run() throws InterruptedException;
  }

  private List<Future<?>> start(List<Client> clients, ExecutorService threads) throws IOException {
    Random seeds = new Random(seed);
    List<Future<?>> running = new ArrayList<>();
    for (Client client : clients) {
      for (int i = 0; i < TortureWorkload.WRITERS; i++) {
        Writer writer = new Writer(client, history, new Random(seeds.nextLong()));
        running.add(submit(threads, writer::step, true, workload.pauseMillis()));
      }
      for (int i = 0; i < TortureWorkload.READERS; i++) {
        Reader reader = new Reader(client, workload, history, new Random(seeds.nextLong()));
        running.add(submit(threads, reader::step, false, workload.pauseMillis()));
      }
      contend(client, threads, new Random(seeds.nextLong()), running);
    }
    return running;
  }

  private void contend(
      Client client, ExecutorService threads, Random seeds, List<Future<?>> running)
      throws IOException {
    Contention contention = workload.contention();
    DeliTable table = client.table();
    for (int i = 0; i < contention.threads(); i++) {
      long retryNanos = contention.lossy() ? client.retryNanos() : Long.MAX_VALUE;
      ContendedWriter writer =
          new ContendedWriter(table, contended, calls, new Random(seeds.nextLong()), retryNanos);
      running.add(submit(threads, writer::step, true, contention.pauseMillis()));
    }
    for (int i = 0; i < contention.threads(); i++) {
      ContendedReader reader =
          new ContendedReader(
              table,
              QuerySource.of(table),
              Optional.of(QuerySource.pages(client.asyncTable())),
              workload.ordersByKey(),
              contended,
              calls,
              new Random(seeds.nextLong()));
      running.add(submit(threads, reader::step, false, contention.pauseMillis()));
    }
  }

  private Future<?> submit(ExecutorService threads, Step step, boolean isWrite, long pauseMillis) {
    return isWrite
        ? threads.submit(() -> repeat(step, pauseMillis, writes, failedWrites))
        : threads.submit(() -> repeat(step, pauseMillis, reads, failedReads));
  }

  private Void repeat(Step step, long pauseMillis, LongAdder good, LongAdder bad)
      throws InterruptedException {
    while (!over) {
      (step.run() ? good : bad).increment();
      Thread.sleep(pauseMillis);
    }
    return null;
  }

  private void torment(
      List<Fault> faults,
      Duration length,
      Duration interval,
      ProgressListener progress,
      List<Future<?>> running)
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
      for (Future<?> thread : running) {
        if (thread.isDone()) {
          thread.get();
        }
      }
      long befell = System.nanoTime();
      Optional<String> outcome = tormentor.next();
      if (outcome.isPresent()) {
        history.befell(outcome.get(), new Span(befell, System.nanoTime()));
        befallen.merge(outcome.get(), 1, Integer::sum);
      }
      passed = System.nanoTime() - begun;
    }
  }

  /** Has failed writes repaired by reads, and dead versions collected, until nothing is left. */
  private Audit settle(Client client, ProgressListener progress) throws Exception {
    progress.progress("settling", 0, 0);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Thread.sleep(workload.graceMillis() + workload.skewMillis() / 2);
      readAll(client.table());
      DeliAdmin.of(plain).collect(name, progress);
      Audit audit = Audit.of(plain, name);
      if (audit.isExact() || !audit.missing().isEmpty() || System.nanoTime() > deadline) {
        return audit;
      }
    }
  }

  private void readAll(DeliTable table) throws IOException {
    List<ValueQuery> queries = new ArrayList<>();
    for (String value : TortureWorkload.VALUES) {
      byte[] bytes = Bytes.toBytes(value);
      queries.add(ValueQuery.on(TortureWorkload.BY_KEY).equalTo(bytes));
      queries.add(ValueQuery.on(TortureWorkload.BY_TIME).equalTo(bytes));
    }
    if (workload.contention().rows() > 0) {
      queries.add(ValueQuery.on(ContendedRows.BY_A).prefix(new byte[0]));
      queries.add(ValueQuery.on(ContendedRows.BY_B).prefix(new byte[0]));
    }
    for (ValueQuery query : queries) {
      try (ValueScanner scanner = table.readValue(query)) {
        // Only what it meets on its way matters.
        scanner.forEach(hit -> {});
      }
    }
  }

  private TortureReport report(Audit audit, ProgressListener progress) throws IOException {
    progress.progress("checking", 0, 0);
    history.resolve(WriteNumbers.read(plain, name));
    Outages.State known = outages.now();
    return new TortureReport(
        seed,
        writes.sum(),
        failedWrites.sum(),
        reads.sum(),
        failedReads.sum(),
        Collections.unmodifiableSortedMap(befallen),
        new HistoryChecker(history, known, TortureWorkload.VERSIONS).violations(),
        calls.ruling(TortureWorkload.VERSIONS, known::explaining, known::explaining),
        audit);
  }
}
