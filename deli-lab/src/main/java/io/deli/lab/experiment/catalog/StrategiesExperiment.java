package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.index.EntryOrder;
import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** The static workload of LevelDB++: rows are put, then asked for, under every strategy. */
final class StrategiesExperiment implements Experiment {
  private static final String PUT = Ingestion.PUT;
  private static final String GET = "GET";
  private static final String LOOKUP = StaticTweets.LOOKUP;
  private static final String RANGE = StaticTweets.RANGE;
  private static final String RANGE_TOP = "RANGELOOKUP of the 10 newest";
  private static final String SIZE = Ingestion.SIZE;
  private static final String ALL = StaticTweets.ALL;
  private static final int TOP = 10;
  private static final List<Integer> SELECTIVITIES = List.of(10, 100);
  private static final StaticTweets BY_USER = new StaticTweets("by_user", Tweets.USER);

  @Override
  public String name() {
    return "strategies";
  }

  @Override
  public String sentence() {
    return "What each strategy costs in space, PUT, GET, LOOKUP and RANGELOOKUP (LevelDB++,"
        + " Figures 8, 9 and 10).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "LevelDB++, Figure 8a",
            "Embedded takes about the space of no index, Composite more, Eager more still and Lazy"
                + " most, since their lists are JSON."),
        new Claim(
            "LevelDB++, Figure 8b",
            "Embedded writes faster than all indexes with a table; of these Composite is the"
                + " fastest and Eager unusable (here: ten times as slow) for an attribute that does"
                + " not follow time."),
        new Claim(
            "LevelDB++, Figure 9",
            "As the table grows PUTs stay as fast (here: within a tenth), but for Eager."),
        new Claim(
            "LevelDB++, Figure 8c",
            "A GET costs the same with every index, but for negligible differences (here: a tenth)."),
        new Claim(
            "LevelDB++, Figure 10a",
            "LOOKUP by UserID: Lazy is best for a small K, Composite for all hits; Embedded beats"
                + " Composite for a small K, and all beat no index."),
        new Claim(
            "LevelDB++, Figures 10b and 10c",
            "RANGELOOKUP by UserID: index tables beat Embedded, whose zone maps exclude little; it"
                + " does almost as no index does (here: within a quarter). Of index tables Lazy is"
                + " better for a small K, else Composite."));
  }

  /** The cache holds less than half of the data. */
  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(20, 2_000, 10_000));
  }

  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY
        ? List.of("plain", "none", "deferred", "eager", "lazy")
        : StaticTweets.arms();
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(StaticTweets.rows(size)),
        "rows per user", Tweets.ROWS_PER_USER + " on average, Zipf " + Tweets.SKEW,
        "writers", Integer.toString(Ingestion.WRITERS),
        "readers", "1, for " + time(size).toMillis() + " ms a measurement",
        "order of entries", EntryOrder.BY_TIME.toString());
  }

  @Override
  public void run(Lab lab) throws IOException {
    Tweets tweets = new Tweets(StaticTweets.rows(lab.size()));
    Duration time = time(lab.size());
    BY_USER.run(
        lab,
        this,
        tweets,
        (all, indexed, loading) -> {
          lab.rounds("get", all, Store::arm, loading, (store, to) -> get(store, tweets, to));
          lab.rounds(
              "lookup",
              indexed,
              Store::arm,
              loading,
              (store, to) ->
                  StaticTweets.look(
                      store,
                      to,
                      time,
                      random -> BY_USER.equalTo(tweets.user(tweets.drawUser(random)))));
          lab.rounds(
              "range", indexed, Store::arm, loading, (store, to) -> range(store, tweets, to));
        });
  }

  private void get(Store store, Tweets tweets, Recorder recorder) throws IOException {
    try (Table table = store.open()) {
      Measured.operation(
          store.lab(),
          recorder,
          GET,
          "",
          time(store.lab().size()),
          thread ->
              random -> {
                table.get(new Get(Tweets.key(random.nextInt(tweets.rows()))));
                return 1;
              });
    }
  }

  private void range(Store store, Tweets tweets, Recorder recorder) throws IOException {
    for (int selectivity : SELECTIVITIES) {
      String x = Integer.toString(selectivity);
      ask(store, recorder, RANGE, x, random -> users(tweets, selectivity, random));
      ask(
          store,
          recorder,
          RANGE_TOP,
          x,
          random -> users(tweets, selectivity, random).mostRecent(TOP));
    }
  }

  private static ValueQuery users(Tweets tweets, int selectivity, SplittableRandom random) {
    int first = random.nextInt(Math.max(1, tweets.users() - selectivity));
    return BY_USER.between(tweets.user(first), tweets.user(first + selectivity - 1));
  }

  private static void ask(
      Store store,
      Recorder recorder,
      String operation,
      String x,
      Function<SplittableRandom, ValueQuery> queries)
      throws IOException {
    Measured.lookups(store, recorder, operation, x, time(store.lab().size()), queries);
  }

  @Override
  public List<Plot> plots() {
    String k = "K: how many of the newest hits are asked for";
    String users = "users in the range";
    return List.of(
        Plot.groups("size", "Space in files, compacted", SIZE, "table"),
        Plot.groups(
            "put",
            Ingestion.WRITERS + " threads that put single rows",
            Measured.throughput(PUT),
            ""),
        Ingestion.growthPlot(),
        Plot.groups("get", "Rows by key", Measured.latency(GET), ""),
        Plot.groups("lookup", "Rows by user", Measured.latency(LOOKUP), k).onLogarithmicScale(),
        Plot.groups("lookup-blocks", "Blocks for rows by user", Measured.blocks(LOOKUP), k)
            .onLogarithmicScale(),
        Plot.groups("range", "Rows by a range of users", Measured.latency(RANGE), users)
            .onLogarithmicScale(),
        Plot.groups(
                "range-blocks",
                "Blocks for rows by a range of users",
                Measured.blocks(RANGE),
                users)
            .onLogarithmicScale(),
        Plot.groups(
                "range-top",
                "The 10 newest rows by a range of users",
                Measured.latency(RANGE_TOP),
                users)
            .onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>(writeChecks(results));
    checks.addAll(growthChecks(results));
    String few = Integer.toString(TOP);
    checks.add(Check.atMost("time of a GET: slowest / fastest", gets(results), 1.1));
    checks.add(slower(results, LOOKUP, few, "composite", "lazy"));
    checks.add(slower(results, LOOKUP, few, "embedded", "lazy"));
    checks.add(slower(results, LOOKUP, few, "composite", "embedded"));
    checks.add(slower(results, LOOKUP, ALL, "lazy", "composite"));
    checks.add(slower(results, LOOKUP, ALL, "embedded", "composite"));
    for (String k : List.of(few, ALL)) {
      checks.add(
          Check.atLeast(
              "time of a LOOKUP, K = %s: none / the slowest of composite, lazy and embedded"
                  .formatted(k),
              results.ratioToGreatest(
                  Measured.latency(LOOKUP), k, "none", List.of("composite", "lazy", "embedded")),
              1));
    }
    for (int selectivity : SELECTIVITIES) {
      checks.addAll(rangeChecks(results, Integer.toString(selectivity)));
    }
    return checks;
  }

  private static List<Check> writeChecks(Results results) {
    String both = "both";
    String puts = Measured.throughput(PUT);
    return List.of(
        Check.atMost("space: embedded / none", results.ratio(SIZE, both, "embedded", "none"), 1.05),
        Check.atLeast(
            "space: composite / embedded", results.ratio(SIZE, both, "composite", "embedded"), 1),
        Check.atLeast(
            "space of the index: eager / composite",
            results.ratio(SIZE, "index", "eager", "composite"),
            1),
        Check.atLeast(
            "space of the index: lazy / eager", results.ratio(SIZE, "index", "lazy", "eager"), 1),
        Check.atLeast(
            "PUTs: embedded / the fastest of composite, lazy and eager",
            results.ratioToGreatest(puts, "", "embedded", List.of("composite", "lazy", "eager")),
            1),
        Check.atLeast("PUTs: composite / lazy", results.ratio(puts, "", "composite", "lazy"), 1),
        Check.atLeast(
            "PUTs: composite / eager", results.ratio(puts, "", "composite", "eager"), 10));
  }

  private static List<Check> growthChecks(Results results) {
    String what = "PUTs, the last quarter of the rows / the first: ";
    List<Check> checks = new ArrayList<>();
    for (String arm : List.of("composite", "lazy", "embedded")) {
      checks.add(Check.atLeast(what + arm, Ingestion.growth(results, arm), 0.9));
    }
    checks.add(Check.atMost(what + "eager", Ingestion.growth(results, "eager"), 0.9));
    return checks;
  }

  private static List<Check> rangeChecks(Results results, String users) {
    return List.of(
        slower(results, RANGE, users, "embedded", "composite"),
        slower(results, RANGE, users, "embedded", "lazy"),
        Check.atMost(
            "time of a %s, %s users: none / embedded".formatted(RANGE, users),
            results.ratio(Measured.latency(RANGE), users, "none", "embedded"),
            1.25),
        slower(results, RANGE, users, "lazy", "composite"),
        slower(results, RANGE_TOP, users, "composite", "lazy"));
  }

  private static Check slower(
      Results results, String operation, String x, String slow, String fast) {
    return Check.atLeast(
        "time of a %s, %s: %s / %s"
            .formatted(operation, operation.equals(LOOKUP) ? "K = " + x : x + " users", slow, fast),
        results.ratio(Measured.latency(operation), x, slow, fast),
        1);
  }

  private static double gets(Results results) {
    return results.spread(Measured.latency(GET), "");
  }
}
