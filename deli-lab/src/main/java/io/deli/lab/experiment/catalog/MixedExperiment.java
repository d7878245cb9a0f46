package io.deli.lab.experiment.catalog;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerCounters;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import io.deli.lab.measure.Timing;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;

/** The mixed workloads of LevelDB++ under every strategy, as the table grows from nothing. */
final class MixedExperiment implements Experiment {
  private static final Mix WRITE_HEAVY = new Mix("write heavy", 80, 15, 5);
  private static final Mix READ_HEAVY = new Mix("read heavy", 20, 70, 10);
  private static final Mix UPDATE_HEAVY = new Mix("update heavy", 40, 15, 5);
  private static final List<Mix> MIXES = List.of(WRITE_HEAVY, READ_HEAVY, UPDATE_HEAVY);

  private static final List<String> STRATEGIES =
      List.of("none", "deferred", "composite", "eager", "lazy", "in-place", "embedded", "next");
  private static final String INDEX = "by_user";
  private static final int TOP = 10;
  private static final int THREADS = 4;
  private static final int SEGMENTS = 10;

  /** So small that there are flushes and compactions. */
  private static final String FLUSH_BYTES = Integer.toString(2 << 20);

  private static final String SECONDS = "time in all";
  private static final String OVERALL = " latency";
  private static final String MEAN = ": mean time";
  private static final String BLOCKS = ": blocks so far";
  private static final String LOOKUPS = ": LOOKUP";

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public String sentence() {
    return "PUTs, GETs, LOOKUPs of the %d newest and updates in three mixes, as the table grows"
            .formatted(TOP)
        + " (LevelDB++, Figures 12 to 15; NEXT, Figures 8 and 9).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "LevelDB++, Figure 12",
            "Lazy is the fastest in all mixes, but Composite slightly better where many are"
                + " updates; Embedded does badly where many are reads (here: half as slow again as"
                + " Lazy). Eager was left out as unusable."),
        new Claim(
            "LevelDB++, Figures 13b, 14b and 15b",
            "GETs cost the same with every index (here: within a quarter)."),
        new Claim(
            "LevelDB++, Figures 13c, 14c and 15c",
            "LOOKUPs of few rows: Lazy beats Composite and Embedded, which gets worse with"
                + " updates."),
        new Claim(
            "NEXT, Figures 8 and 9",
            "NEXT beats the standalone index and Embedded in every mix; where most are writes or"
                + " updates, its operations take ever longer, but less so than with the standalone"
                + " index."));
  }

  @Override
  public ServerNeeds server(Size size) {
    // For index tables, too, which know nothing of the base table's settings.
    return Pairs.server(size).with(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, FLUSH_BYTES);
  }

  private static int operations(Size size) {
    return size.pick(300, 30_000, 300_000);
  }

  /** That with all kinds of operations suffices to show that it works. */
  private static List<Mix> mixes(Size size) {
    return size == Size.TINY ? List.of(UPDATE_HEAVY) : MIXES;
  }

  /** Some of them suffice to show that it works. */
  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY ? List.of("deferred", "lazy", "embedded") : STRATEGIES;
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "operations of a mix", Integer.toString(operations(size)),
        "mixes",
            String.join("; ", mixes(size).stream().map(mix -> mix.name() + ": " + mix).toList()),
        "rows per user",
            Tweets.ROWS_PER_USER + " on average if all were inserts, Zipf " + Tweets.SKEW,
        "threads", Integer.toString(THREADS),
        "order of entries", EntryOrder.BY_TIME.toString(),
        "flush of a table", "at " + FLUSH_BYTES + " bytes, with an HBase of its own");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Tweets tweets = new Tweets(operations(lab.size()));
    List<Store> all = STRATEGIES.stream().map(strategy -> store(lab, strategy)).toList();
    List<Store> stores = lab.wanted(this, all, Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          for (Mix mix : mixes(lab.size())) {
            lab.rounds(
                mix.name(),
                stores,
                Store::arm,
                () -> {},
                (store, recorder) -> {
                  store.create(Tweets.FAMILY);
                  measure(store, tweets, mix, recorder);
                });
          }
        });
  }

  private Store store(Lab lab, String strategy) {
    return Store.indexed(
        lab,
        name(),
        IndexDefinition.on(INDEX, Tweets.USER)
            .withStrategy(strategy)
            .withOrder(EntryOrder.BY_TIME));
  }

  private static void measure(Store store, Tweets tweets, Mix mix, Recorder recorder)
      throws IOException {
    Client client = new Client(store, tweets, new AtomicInteger());
    Latencies overall = new Latencies();
    ServerCounters start = ServerCounters.of(store.lab().plain());
    double seconds = 0;
    for (int segment = 1; segment <= SEGMENTS; segment++) {
      String x = Integer.toString(tweets.rows() / SEGMENTS * segment);
      Latencies now = new Latencies();
      Timing timing = run(client, mix, now);
      seconds += timing.seconds();
      overall.add(now);
      recorder.add(mix.name() + MEAN, x, "ms/operation", timing.meanMillis());
      now.record(recorder, Mix.LOOKUP, mix.name() + LOOKUPS, x);
      recorder.add(
          mix.name() + BLOCKS,
          x,
          "blocks",
          (double) ServerCounters.of(store.lab().plain()).since(start).blocks());
    }
    recorder.add(SECONDS, mix.name(), "s", seconds);
    for (String kind : List.of(Mix.INSERT, Mix.GET, Mix.LOOKUP, Mix.UPDATE)) {
      overall.record(recorder, kind, kind + OVERALL, mix.name());
    }
  }

  /** A part of the operations, by all threads. */
  private static Timing run(Client client, Mix mix, Latencies latencies) throws IOException {
    AtomicInteger left = new AtomicInteger(client.tweets.rows() / SEGMENTS);
    return Workers.toTheEnd(
        THREADS,
        thread -> {
          DeliTable table = client.open();
          return Workers.closing(
              table,
              random -> {
                if (left.getAndDecrement() <= 0) {
                  return 0;
                }
                String kind = mix.draw(random);
                latencies.time(kind, () -> client.run(table, kind, random));
                return 1;
              });
        });
  }

  /**
   * What the threads do.
   *
   * @param rows how many were begun to be inserted
   */
  private record Client(Store store, Tweets tweets, AtomicInteger rows) {
    DeliTable open() throws IOException {
      return store.lab().deli().getTable(store.table());
    }

    void run(DeliTable table, String kind, SplittableRandom random) throws IOException {
      switch (kind) {
        case Mix.INSERT -> table.put(tweets.put(rows.getAndIncrement()));
        case Mix.UPDATE -> table.put(tweets.put(existing(random), random.nextInt(tweets.rows())));
        case Mix.GET -> table.get(new Get(Tweets.key(existing(random))));
        default ->
            Lookups.count(
                table,
                ValueQuery.on(INDEX).equalTo(tweets.user(tweets.drawUser(random))).mostRecent(TOP));
      }
    }

    private int existing(SplittableRandom random) {
      return random.nextInt(Math.max(1, rows.get()));
    }
  }

  @Override
  public List<Plot> plots() {
    String operations = "operations";
    List<Plot> plots = new ArrayList<>();
    plots.add(Plot.groups("seconds", "All operations", SECONDS, "mix").onLogarithmicScale());
    plots.add(
        Plot.groups("lookup", "LOOKUPs of the newest", Mix.LOOKUP + OVERALL, "mix")
            .onLogarithmicScale());
    plots.add(Plot.groups("insert", "PUTs of new rows", Mix.INSERT + OVERALL, "mix"));
    plots.add(Plot.groups("get", "GETs", Mix.GET + OVERALL, "mix"));
    for (Mix mix : MIXES) {
      String file = mix.name().replace(' ', '-');
      String title = mix.name() + " (" + mix + ")";
      plots.add(Plot.lines(file, title, mix.name() + MEAN, operations).onLogarithmicScale());
      plots.add(
          Plot.lines(file + "-lookup", title, mix.name() + LOOKUPS, operations)
              .onLogarithmicScale());
      plots.add(
          Plot.lines(file + "-blocks", title, mix.name() + BLOCKS, operations)
              .onLogarithmicScale());
    }
    return plots;
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>();
    for (Mix mix : MIXES) {
      checks.addAll(checks(results, mix.name()));
    }
    checks.add(lazyIsFastest(results, WRITE_HEAVY.name()));
    checks.add(lazyIsFastest(results, READ_HEAVY.name()));
    checks.add(growsSlower(results, WRITE_HEAVY.name()));
    checks.add(growsSlower(results, UPDATE_HEAVY.name()));
    checks.add(
        Check.atLeast(
            "time in all, read heavy: embedded / lazy",
            results.ratio(SECONDS, READ_HEAVY.name(), "embedded", "lazy"),
            1.5));
    checks.add(
        Check.atLeast(
            "time in all, update heavy: lazy / composite",
            results.ratio(SECONDS, UPDATE_HEAVY.name(), "lazy", "composite"),
            1));
    checks.add(
        Check.atLeast(
            "time of a LOOKUP, embedded: update heavy / write heavy",
            results.median(Mix.LOOKUP + OVERALL, UPDATE_HEAVY.name(), "embedded")
                / results.median(Mix.LOOKUP + OVERALL, WRITE_HEAVY.name(), "embedded"),
            1));
    return checks;
  }

  private static Check lazyIsFastest(Results results, String mix) {
    return Check.atMost(
        "time in all, " + mix + ": lazy / the faster one of composite and embedded",
        results.ratioToLeast(SECONDS, mix, "lazy", List.of("composite", "embedded")),
        1);
  }

  private static List<Check> checks(Results results, String mix) {
    return List.of(
        Check.atMost(
            "time of a GET, " + mix + ": slowest / fastest",
            results.spread(Mix.GET + OVERALL, mix),
            1.25),
        Check.atMost(
            "time of a LOOKUP, " + mix + ": lazy / the faster one of composite and embedded",
            results.ratioToLeast(
                Mix.LOOKUP + OVERALL, mix, "lazy", List.of("composite", "embedded")),
            1),
        Check.atMost(
            "time in all, " + mix + ": next / the faster one of composite and embedded",
            results.ratioToLeast(SECONDS, mix, "next", List.of("composite", "embedded")),
            1));
  }

  private static Check growsSlower(Results results, String mix) {
    return Check.atMost(
        "growth of the mean time, " + mix + ": next / composite",
        growth(results, mix, "next") / growth(results, mix, "composite"),
        1);
  }

  /** What an operation takes in the last part of the operations, of what it takes in the first. */
  private static double growth(Results results, String mix, String arm) {
    List<String> xs = results.xs(mix + MEAN);
    return xs.isEmpty()
        ? Double.NaN
        : results.median(mix + MEAN, xs.get(xs.size() - 1), arm)
            / results.median(mix + MEAN, xs.get(0), arm);
  }
}
