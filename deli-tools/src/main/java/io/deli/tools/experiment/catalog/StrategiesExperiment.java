package io.deli.tools.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.tools.experiment.Check;
import io.deli.tools.experiment.Claim;
import io.deli.tools.experiment.Experiment;
import io.deli.tools.experiment.Lab;
import io.deli.tools.experiment.Lab.Recorder;
import io.deli.tools.experiment.Plot;
import io.deli.tools.experiment.Results;
import io.deli.tools.experiment.ServerNeeds;
import io.deli.tools.experiment.Size;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** The static workload of LevelDB++: rows are put, then asked for, under every strategy. */
final class StrategiesExperiment implements Experiment {
  private static final String PUT = Ingestion.PUT;
  private static final String GET = "GET";
  private static final String LOOKUP = "LOOKUP";
  private static final String RANGE = "RANGELOOKUP";
  private static final String RANGE_TOP = "RANGELOOKUP of the 10 newest";
  private static final String SIZE = Ingestion.SIZE;
  private static final String ALL = "all";
  private static final String INDEX = "by_user";
  private static final int TOP = 10;
  private static final String[] STRATEGIES = {
    "none", "deferred", "composite", "eager", "lazy", "in-place", "embedded", "next"
  };
  private static final List<Integer> SELECTIVITIES = List.of(10, 100);

  @Override
  public String name() {
    return "strategies";
  }

  @Override
  public String sentence() {
    return "What each strategy costs in space, PUT, GET, LOOKUP and RANGELOOKUP (LevelDB++,"
        + " Figures 8 and 10).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "LevelDB++, Figure 8a",
            "Embedded takes about the space of no index, Composite more, Eager and Lazy most, since"
                + " their lists are JSON."),
        new Claim(
            "LevelDB++, Figure 8b",
            "Embedded writes faster than all indexes with a table; of these Composite is the"
                + " fastest and Eager unusable for an attribute that does not follow time."),
        new Claim("LevelDB++, Figure 8c", "A GET costs the same with every index."),
        new Claim(
            "LevelDB++, Figure 10a",
            "LOOKUP by UserID: Lazy is best for a small K, Composite for all hits; an index table"
                + " beats Embedded but for a small K, and all beat no index."),
        new Claim(
            "LevelDB++, Figures 10b and 10c",
            "RANGELOOKUP by UserID: index tables beat Embedded, whose zone maps exclude little;"
                + " it does about as well as no index."));
  }

  /** The cache holds less than half of the data. */
  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  private static int rows(Size size) {
    return size.pick(500, 40_000, 400_000);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(20, 2_000, 10_000));
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(rows(size)),
        "rows per user", Tweets.ROWS_PER_USER + " on average, Zipf " + Tweets.SKEW,
        "writers", Integer.toString(Ingestion.WRITERS),
        "readers", "1, for " + time(size).toMillis() + " ms a measurement",
        "order of entries", EntryOrder.BY_TIME.toString());
  }

  @Override
  public void run(Lab lab) throws IOException {
    Tweets tweets = new Tweets(rows(lab.size()));
    List<Store> stores =
        lab.wanted(
            Store.plainAnd(lab, name(), StrategiesExperiment::index, STRATEGIES), Store::arm);
    List<Store> indexed = stores.stream().filter(store -> store.index().isPresent()).toList();
    Ingestion ingestion = new Ingestion(stores, tweets);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          ingestion.measure(lab);
          Lab.Step loading = ingestion::makeUpFor;
          lab.rounds("get", stores, Store::arm, loading, (store, to) -> get(store, tweets, to));
          lab.rounds(
              "lookup", indexed, Store::arm, loading, (store, to) -> look(store, tweets, to));
          lab.rounds(
              "range", indexed, Store::arm, loading, (store, to) -> range(store, tweets, to));
        });
  }

  private static IndexDefinition index(String strategy) {
    return IndexDefinition.on(INDEX, Tweets.USER)
        .withStrategy(strategy)
        .withOrder(EntryOrder.BY_TIME);
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

  private void look(Store store, Tweets tweets, Recorder recorder) throws IOException {
    for (int k : List.of(1, TOP, Integer.MAX_VALUE)) {
      boolean all = k == Integer.MAX_VALUE;
      UnaryOperator<ValueQuery> most = all ? query -> query : query -> query.mostRecent(k);
      ask(
          store,
          recorder,
          LOOKUP,
          all ? ALL : Integer.toString(k),
          random -> most.apply(ValueQuery.on(INDEX).equalTo(tweets.user(tweets.drawUser(random)))));
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
    return ValueQuery.on(INDEX).between(tweets.user(first), tweets.user(first + selectivity - 1));
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
    String few = Integer.toString(TOP);
    String range = Integer.toString(SELECTIVITIES.get(0));
    return List.of(
        Check.atMost(
            "space: embedded / none", results.ratio(SIZE, "both", "embedded", "none"), 1.05),
        Check.atLeast(
            "space of the index: lazy / composite",
            results.ratio(SIZE, "index", "lazy", "composite"),
            1),
        Check.atLeast(
            "PUTs: embedded / composite",
            results.ratio(Measured.throughput(PUT), "", "embedded", "composite"),
            1),
        Check.atLeast(
            "PUTs: composite / lazy",
            results.ratio(Measured.throughput(PUT), "", "composite", "lazy"),
            0.95),
        Check.atLeast(
            "PUTs: composite / eager",
            results.ratio(Measured.throughput(PUT), "", "composite", "eager"),
            2),
        Check.atMost("time of a GET: slowest / fastest", spread(results), 1.25),
        slower(results, LOOKUP, few, "composite", "lazy"),
        slower(results, LOOKUP, ALL, "lazy", "composite"),
        slower(results, LOOKUP, ALL, "embedded", "composite"),
        slower(results, LOOKUP, ALL, "none", "embedded"),
        slower(results, RANGE, range, "embedded", "composite"),
        Check.atMost(
            "time of a %s, %s users: none / embedded".formatted(RANGE, range),
            results.ratio(Measured.latency(RANGE), range, "none", "embedded"),
            2));
  }

  private static Check slower(
      Results results, String operation, String x, String slow, String fast) {
    return Check.atLeast(
        "time of a %s, %s: %s / %s"
            .formatted(operation, operation.equals(LOOKUP) ? "K = " + x : x + " users", slow, fast),
        results.ratio(Measured.latency(operation), x, slow, fast),
        1);
  }

  private static double spread(Results results) {
    List<Double> medians =
        results.arms(Measured.latency(GET)).stream()
            .map(arm -> results.median(Measured.latency(GET), "", arm))
            .sorted()
            .toList();
    return medians.size() < 2 ? Double.NaN : medians.get(medians.size() - 1) / medians.get(0);
  }
}
