package io.deli.lab.campaign;

import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.lab.campaign.TortureCampaign.CampaignState.CellSize;
import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import io.deli.lab.fault.Outages;
import io.deli.lab.fault.ProcessFaults;
import io.deli.lab.fault.Tormentor;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.Audit;
import io.deli.lab.torture.SharedState;
import io.deli.lab.torture.TortureWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * The run of one cell: a fresh table, client processes that work on it while faults befall the
 * cluster, the judge that follows them, a calm now and then, and in the end an audit.
 */
final class CellRun {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long GLANCE_MILLIS = 200;

  /** The clock of the first client is ahead by so much, that of the last behind. */
  private static final long AHEAD_MILLIS = 1_000;

  private static final int SMALL_PAGE = 4;

  /** After which a run ends with fewer operations or faults. */
  private static final Duration MOST = Duration.ofMinutes(6);

  /** Between two faults other than those of tables. */
  private static final long INTERVAL_MILLIS = 1_000;

  /** After so many of these faults there is a calm. */
  private static final int CALM_EVERY = 6;

  private static final long CALM_MILLIS = 10_000;

  private final ProcessCluster cluster;
  private final Cell cell;
  private final CellSize size;
  private final Path directory;
  private final ProgressListener progress;
  private final TableName table =
      TableName.valueOf("campaign_" + Long.toHexString(System.currentTimeMillis()));
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final Random random = new Random(seed);

  /** Held while a fault of tables happens, and throughout a calm. */
  private final Object tablesGate = new Object();

  private long clientsEnded;

  CellRun(
      ProcessCluster cluster, Cell cell, CellSize size, Path directory, ProgressListener progress) {
    this.cluster = cluster;
    this.cell = cell;
    this.size = size;
    this.directory = directory;
    this.progress = progress;
  }

  @Override
  public String toString() {
    return "%s: table %s, seed %d".formatted(cell.name(), table, seed);
  }

  CellReport run(ProcessFaults processes, Optional<Path> otherJar) throws Exception {
    ClientProcesses.clear(directory);
    SharedState shared = SharedState.open(directory.resolve("shared"), Cell.PLACES);
    Configuration conf = cluster.configuration();
    conf.setLong(DeliSettings.REPAIR_GRACE.key(), Cell.GRACE_MILLIS);
    try (Connection plain = ConnectionFactory.createConnection(conf);
        StreamingJudge judge = new StreamingJudge(Cell.VERSIONS, shared);
        ClientProcesses clients =
            new ClientProcesses(
                directory,
                cluster.conf(),
                cell.secured() ? Optional.of(Cell.USER) : Optional.empty(),
                judge,
                this::plan)) {
      cell.create(plain, table);
      clients.start(Cell.CLIENTS);
      FaultTarget target =
          new FaultTarget(
              plain, table, cell.definitions(), Optional.of(processes), clients::running, otherJar);
      // None of these stops a server.
      Tormentor ofTables = tormentor(FaultProfile.TABLES.faults(target), new Outages());
      Tormentor others = tormentor(cell.profile().faults(target), judge.outages());
      long begun = System.nanoTime();
      List<String> violations =
          violations(
              judge,
              () -> {
                torment(judge, ofTables, others);
                return end(judge, shared, clients, conf);
              });
      long seconds = Duration.ofNanos(clientsEnded - begun).toSeconds();
      return report(seconds, judge, ofTables, others, cell.profile().skipped(target), violations);
    }
  }

  /** A cluster that is beyond help does not take along what the judge has found. */
  private List<String> violations(StreamingJudge judge, Callable<List<String>> course)
      throws Exception {
    try {
      return course.call();
    } catch (IOException | RuntimeException e) {
      List<String> violations = new ArrayList<>(judge.ruling().violations());
      if (violations.isEmpty()) {
        throw e;
      }
      violations.add("the cell ended by " + e);
      clientsEnded = System.nanoTime();
      return violations;
    }
  }

  /** Has clients end after a calm, and returns all that is wrong. */
  private List<String> end(
      StreamingJudge judge, SharedState shared, ClientProcesses clients, Configuration conf)
      throws IOException, InterruptedException {
    calm(judge);
    shared.order(SharedState.Order.END);
    clients.awaitEnd();
    clientsEnded = System.nanoTime();
    List<String> violations = new ArrayList<>(judge.end().violations());
    violations.addAll(clients.failures());
    progress.progress(cell.name() + ": audit", 0, 0);
    Duration pause = Duration.ofMillis(Cell.GRACE_MILLIS + AHEAD_MILLIS);
    violations.addAll(
        Audit.settled(conf, table, Cell.GRACE_MILLIS, pause, ProgressListener.NONE).findings());
    return violations;
  }

  private Tormentor tormentor(List<Fault> faults, Outages outages) {
    return new Tormentor(faults, new Random(random.nextLong()), outages);
  }

  private CellReport report(
      long seconds,
      StreamingJudge judge,
      Tormentor ofTables,
      Tormentor others,
      List<String> skipped,
      List<String> violations) {
    return new CellReport(
        cell.name(),
        seed,
        seconds,
        judge.outcomes(),
        sum(ofTables.befallen(), others.befallen()),
        sum(ofTables.refused(), others.refused()),
        skipped,
        violations,
        judge.ruling().undecided(),
        violations.isEmpty()
            ? ""
            : directory.resolveSibling("violations").resolve(table.getNameAsString()).toString());
  }

  private static Map<String, Integer> sum(Map<String, Integer> some, Map<String, Integer> more) {
    Map<String, Integer> sum = new TreeMap<>(some);
    more.forEach((name, times) -> sum.merge(name, times, Integer::sum));
    return sum;
  }

  private CampaignClient.Plan plan(int client) {
    long ahead = AHEAD_MILLIS - 2 * AHEAD_MILLIS * client / (Cell.CLIENTS - 1);
    return new CampaignClient.Plan(
        cluster.directory().toString(),
        table.getNameAsString(),
        directory.toString(),
        random.nextLong(),
        ahead,
        // So that for one client a query of few rows takes several requests.
        client == 0 ? SMALL_PAGE : 0,
        cell.ordersByKey());
  }

  private void torment(StreamingJudge judge, Tormentor ofTables, Tormentor others)
      throws Exception {
    ScheduledExecutorService besides = Executors.newScheduledThreadPool(2);
    try {
      // A fault may take long.
      var unused =
          besides.scheduleWithFixedDelay(
              () -> progress.progress(cell.name(), judge.outcomes().checked(), size.operations()),
              0,
              GLANCE_MILLIS,
              TimeUnit.MILLISECONDS);
      long interval = cell.profile().intervalOfTables().toMillis();
      Future<?> tables =
          besides.scheduleWithFixedDelay(
              () -> befallTables(ofTables), interval, interval, TimeUnit.MILLISECONDS);
      int befallen = 0;
      long begun = System.nanoTime();
      while (!isEnough(judge, ofTables, others, System.nanoTime() - begun)) {
        Thread.sleep(INTERVAL_MILLIS);
        if (others.next().isPresent() && ++befallen % CALM_EVERY == 0) {
          calm(judge);
        }
        if (tables.isDone()) {
          // They go on until they fail.
          FutureUtils.get(tables);
        }
      }
    } finally {
      besides.shutdown();
      besides.awaitTermination(1, TimeUnit.HOURS);
    }
  }

  private void befallTables(Tormentor ofTables) {
    synchronized (tablesGate) {
      try {
        ofTables.next();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isEnough(
      StreamingJudge judge, Tormentor ofTables, Tormentor others, long passed) {
    return !judge.ruling().violations().isEmpty()
        || passed > MOST.toNanos()
        || ((others.count() > 0 || others.isThrough())
            && ofTables.count() + others.count() >= size.faults()
            && judge.outcomes().checked() >= size.operations());
  }

  /** Nothing befalls anybody for a while; then what failed before is settled. */
  private void calm(StreamingJudge judge) throws InterruptedException {
    synchronized (tablesGate) {
      if (!Await.until(PATIENCE, cluster::serves)) {
        return;
      }
      long since = System.nanoTime();
      if (!Await.until(PATIENCE, () -> judge.clientsHorizon() - since > 0)) {
        return;
      }
      List<Long> processes = processes();
      long begun = System.nanoTime();
      Thread.sleep(CALM_MILLIS);
      long ended = System.nanoTime();
      if (cluster.serves() && processes().equals(processes)) {
        judge.settled(new Span(begun, ended));
      }
    }
  }

  private List<Long> processes() {
    return cluster.daemons().stream()
        .map(Daemon::process)
        .map(process -> process.map(ProcessHandle::pid).orElse(-1L))
        .toList();
  }

  void drop() throws IOException {
    try (Connection plain = ConnectionFactory.createConnection(cluster.configuration())) {
      TortureWorkload.drop(plain, table);
    }
  }
}
