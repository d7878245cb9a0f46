package io.deli.lab.experiment.catalog;

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

/** The static workload of LevelDB++ with an index on a column that follows time. */
final class TimeIndexExperiment implements Experiment {
  private static final String LOOKUP = StaticTweets.LOOKUP;
  private static final String RANGE = StaticTweets.RANGE;
  private static final StaticTweets BY_SECOND = new StaticTweets("by_second", Tweets.SECOND);
  private static final List<String> SECONDS = List.of("1", "10", "100");

  @Override
  public String name() {
    return "strategies-by-time";
  }

  @Override
  public String sentence() {
    return "What each strategy costs on a column whose values follow time, in which rows are"
        + " written: space, PUT, LOOKUP and RANGELOOKUP (LevelDB++, Figures 8b, 9 and 11).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "LevelDB++, Figures 8b and 9",
            "Embedded writes faster than all indexes with a table; Eager does well on an index that"
                + " follows time (here: 0.8 of Composite), whose lists are made one after the"
                + " other. As the table grows, PUTs stay as fast (here: within a tenth), Eager's too."),
        new Claim(
            "LevelDB++, Figure 11a",
            "LOOKUP by CreationTime: Lazy is best, and Embedded is comparable to index tables (here:"
                + " at most a quarter slower than Composite), for its zone maps exclude nearly all."),
        new Claim(
            "LevelDB++, Figures 11b and 11c",
            "RANGELOOKUP by CreationTime: Embedded beats index tables at every selectivity, and"
                + " Composite beats Lazy and Eager the more rows there are."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(20, 1_500, 10_000));
  }

  /** Some of them suffice to show that it works. */
  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY
        ? List.of("plain", "composite", "in-place", "embedded")
        : StaticTweets.arms();
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(StaticTweets.rows(size)),
        "rows per second", Integer.toString(Tweets.ROWS_PER_SECOND),
        "writers", Integer.toString(Ingestion.WRITERS),
        "readers", "1, for " + time(size).toMillis() + " ms a measurement",
        "order of entries", EntryOrder.BY_TIME.toString());
  }

  @Override
  public void run(Lab lab) throws IOException {
    Tweets tweets = new Tweets(StaticTweets.rows(lab.size()));
    Duration time = time(lab.size());
    BY_SECOND.run(
        lab,
        this,
        tweets,
        (all, indexed, loading) -> {
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
                      random ->
                          BY_SECOND.equalTo(Tweets.second(random.nextInt(tweets.seconds())))));
          lab.rounds(
              "range", indexed, Store::arm, loading, (store, to) -> range(store, tweets, to));
        });
  }

  private static void range(Store store, Tweets tweets, Recorder recorder) throws IOException {
    for (String seconds : SECONDS) {
      int length = Integer.parseInt(seconds);
      Measured.lookups(
          store,
          recorder,
          RANGE,
          seconds,
          time(store.lab().size()),
          random -> {
            int first = random.nextInt(Math.max(1, tweets.seconds() - length));
            return BY_SECOND.between(Tweets.second(first), Tweets.second(first + length - 1));
          });
    }
  }

  @Override
  public List<Plot> plots() {
    String k = "K: how many of the newest hits are asked for";
    String seconds = "seconds in the range";
    return List.of(
        Plot.groups("size", "Space in files, compacted", Ingestion.SIZE, "table"),
        Plot.groups("put", "Single rows put", Measured.throughput(Ingestion.PUT), ""),
        Ingestion.growthPlot(),
        Plot.groups("lookup", "Rows by second", Measured.latency(LOOKUP), k).onLogarithmicScale(),
        Plot.groups("range", "Rows by a range of seconds", Measured.latency(RANGE), seconds)
            .onLogarithmicScale(),
        Plot.groups(
                "range-blocks", "Blocks for a range of seconds", Measured.blocks(RANGE), seconds)
            .onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    String put = Measured.throughput(Ingestion.PUT);
    String range = Measured.latency(RANGE);
    List<String> tables = List.of("composite", "lazy", "eager");
    List<Check> checks = new ArrayList<>();
    checks.add(
        Check.atLeast(
            "PUTs: embedded / the fastest of composite, lazy and eager",
            results.ratioToGreatest(put, "", "embedded", tables),
            1));
    checks.add(
        Check.atLeast(
            "PUTs: eager / composite", results.ratio(put, "", "eager", "composite"), 0.8));
    for (String arm : tables) {
      checks.add(
          Check.atLeast(
              "PUTs, the last quarter of the rows / the first: " + arm,
              Ingestion.growth(results, arm),
              0.9));
    }
    StaticTweets.KS.forEach(k -> checks.addAll(lookupChecks(results, k)));
    for (String seconds : SECONDS) {
      checks.add(
          Check.atMost(
              "time of a RANGELOOKUP, seconds: %s: embedded / the fastest of composite, lazy and eager"
                  .formatted(seconds),
              results.ratioToLeast(range, seconds, "embedded", tables),
              1));
    }
    String most = SECONDS.get(SECONDS.size() - 1);
    checks.add(
        Check.atMost(
            "time of a RANGELOOKUP, seconds: %s: composite / the fastest of lazy and eager"
                .formatted(most),
            results.ratioToLeast(range, most, "composite", List.of("lazy", "eager")),
            1));
    return checks;
  }

  private static List<Check> lookupChecks(Results results, String k) {
    String lookup = Measured.latency(LOOKUP);
    return List.of(
        Check.atMost(
            "time of a LOOKUP, K = %s: lazy / the fastest of composite and embedded".formatted(k),
            results.ratioToLeast(lookup, k, "lazy", List.of("composite", "embedded")),
            1),
        Check.atMost(
            "time of a LOOKUP, K = %s: embedded / composite".formatted(k),
            results.ratio(lookup, k, "embedded", "composite"),
            1.25));
  }
}
