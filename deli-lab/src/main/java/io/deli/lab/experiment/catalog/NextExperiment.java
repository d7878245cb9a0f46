package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.config.DeliSettings;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/** The index of NEXT beside the others, by skew and by how its ranges are divided. */
final class NextExperiment implements Experiment {
  private static final String PUT = Flushes.PUT;
  private static final String POINT = "point lookup";
  private static final String RANGE = "range lookup";
  private static final String UNIFORM_RANGE = "range lookup, uniform";
  private static final String SIZE = Flushes.SIZE;
  private static final String NONE = "none";
  private static final String DEFERRED = "deferred";
  private static final String EMBEDDED = "embedded";
  private static final String UNDIVIDED = "next undivided";
  private static final String DEFAULT = "next 10 %";
  private static final String FINEST = "next 0 %";

  /** The arms of next, and at gaps of how many per cent their ranges end. */
  private static final Map<String, String> GAPS = new LinkedHashMap<>();

  static {
    GAPS.put(UNDIVIDED, "100");
    GAPS.put(DEFAULT, "10");
    GAPS.put("next 1 %", "1");
    GAPS.put(FINEST, "0");
  }

  private static final String UNIFORM = "uniform";
  private static final String SKEWED = "Zipf 0.8";
  private static final Map<String, Double> SKEWS = new LinkedHashMap<>();

  static {
    SKEWS.put(UNIFORM, 0.0);
    SKEWS.put("Zipf 0.5", 0.5);
    SKEWS.put(SKEWED, 0.8);
    SKEWS.put("Zipf 1.0", 1.0);
  }

  /** What division saves of the time of a range in the paper (Figure 11a). */
  private static final Map<String, Double> SAVED = new LinkedHashMap<>();

  static {
    SAVED.put(UNIFORM, 0.11);
    SAVED.put("Zipf 0.5", 0.11);
    SAVED.put(SKEWED, 0.29);
    SAVED.put("Zipf 1.0", 0.19);
  }

  private static final int FEW = 10;
  private static final int SOME = 100;
  private static final int MANY = 1_000;

  @Override
  public String name() {
    return "next";
  }

  @Override
  public String sentence() {
    return "Lookups by a number, space and writes with NEXT's index, by the skew of the numbers and"
        + " the gaps at which its ranges are divided (NEXT, Tables 3 and 4, Figures 6, 7, 10 and"
        + " 11).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "NEXT, Table 4, numerical",
            "For small, medium and large ranges Embedded takes 3.1, 7.5 and 49 s, a standalone"
                + " index 1.5, 13 and 124, NEXT 0.8, 5.8 and 52."),
        new Claim(
            "NEXT, Figure 6",
            "Embedded writes fastest, since it is made when files are; NEXT beats the standalone"
                + " index for numbers."),
        new Claim(
            "NEXT, Figure 7",
            "Of the table's size the standalone index takes 21.0 %, Embedded 16.1 %, NEXT 20.7 %."),
        new Claim(
            "NEXT, Figure 10",
            "Ranges divided at gaps shorten lookups by up to 25 %; the smaller the threshold, the"
                + " slower are writes and the larger the index."),
        new Claim(
            "NEXT, Figure 11a",
            "Division shortens lookups of ranges by 29 % (Zipf 0.8), 19 % (Zipf 1.0) and 11 %"
                + " (Zipf 0.5, uniform)."),
        new Claim(
            "NEXT, Figure 11b",
            "For points it shortens more: undivided, NEXT is slower than the standalone index;"
                + " divided, it is faster than both others for every distribution."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  static int rows(Size size) {
    return size.pick(800, 40_000, 400_000);
  }

  static int files(Size size) {
    return size.pick(2, 8, 8);
  }

  static Duration time(Size size) {
    return Duration.ofMillis(size.pick(20, 1_000, 10_000));
  }

  /** One suffices to show that it works. */
  private static List<String> skews(Size size) {
    return size == Size.TINY ? List.of(UNIFORM) : List.copyOf(SKEWS.keySet());
  }

  /** Some of them suffice to show that it works. */
  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY ? List.of(DEFERRED, DEFAULT) : all();
  }

  private static List<String> all() {
    return Stream.concat(Stream.of(NONE, DEFERRED, EMBEDDED), GAPS.keySet().stream()).toList();
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows",
        Integer.toString(rows(size)),
        "numbers",
        "1 to %d".formatted(rows(size) * Numbers.NUMBERS_PER_ROW),
        "files",
        files(size) + ", each of rows of the whole table, not compacted",
        "reader",
        "1, for " + time(size).toMillis() + " ms a measurement",
        "arms next",
        "a range ends at gaps wider than this share of its posting block's range");
  }

  @Override
  public void run(Lab lab) throws IOException {
    List<Store> stores = lab.wanted(this, stores(lab), Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          for (String skew : skews(lab.size())) {
            Numbers numbers = new Numbers(rows(lab.size()), SKEWS.get(skew));
            lab.rounds(
                skew,
                stores,
                Store::arm,
                () -> {},
                (store, recorder) -> {
                  Flushes writing =
                      new Flushes(Numbers.FAMILY, numbers.rows(), files(lab.size()), numbers::put);
                  writing.measure(store, skew, recorder);
                  lab.quiet();
                  look(store, numbers, skew, recorder);
                });
          }
        });
  }

  private List<Store> stores(Lab lab) {
    List<Store> stores = new ArrayList<>();
    for (String strategy : List.of(NONE, DEFERRED, EMBEDDED)) {
      stores.add(store(lab, strategy));
    }
    GAPS.forEach(
        (arm, percent) ->
            stores.add(store(lab, "next").with(arm, DeliSettings.NEXT_GAP.key(), percent)));
    return stores;
  }

  private Store store(Lab lab, String strategy) {
    return Store.indexed(lab, name(), Numbers.index(strategy)).keepingFiles();
  }

  private static void look(Store store, Numbers numbers, String skew, Recorder recorder)
      throws IOException {
    ask(store, recorder, POINT, skew, numbers::one);
    ask(store, recorder, RANGE, skew, random -> numbers.range(SOME, random));
    if (skew.equals(UNIFORM)) {
      for (int hits : List.of(FEW, SOME, MANY)) {
        String x = Integer.toString(hits);
        ask(store, recorder, UNIFORM_RANGE, x, random -> numbers.range(hits, random));
      }
    }
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
    String skew = "distribution of the numbers";
    return List.of(
        Plot.groups("put", "Rows written and flushed", Measured.throughput(PUT), skew),
        Plot.groups("size", "Space in files", SIZE, skew),
        Plot.groups("point", "Rows by number", Measured.latency(POINT), skew).onLogarithmicScale(),
        Plot.groups("point-blocks", "Blocks for rows by number", Measured.blocks(POINT), skew)
            .onLogarithmicScale(),
        Plot.groups("range", "Rows by a range of numbers", Measured.latency(RANGE), skew)
            .onLogarithmicScale(),
        Plot.groups("range-blocks", "Blocks for a range of numbers", Measured.blocks(RANGE), skew)
            .onLogarithmicScale(),
        Plot.groups(
                "selectivity",
                "Rows by a range of uniform numbers",
                Measured.latency(UNIFORM_RANGE),
                "rows in the range, on average")
            .onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> all = new ArrayList<>(rangeChecks(results));
    all.addAll(writeChecks(results));
    all.addAll(pointChecks(results));
    return all;
  }

  private static List<Check> rangeChecks(Results results) {
    List<Check> checks = new ArrayList<>();
    checks.add(slower(results, FEW, EMBEDDED, 3.9));
    checks.add(slower(results, FEW, DEFERRED, 1.9));
    checks.add(slower(results, SOME, EMBEDDED, 1.3));
    checks.add(slower(results, SOME, DEFERRED, 2.2));
    checks.add(slower(results, MANY, EMBEDDED, 0.94));
    checks.add(slower(results, MANY, DEFERRED, 2.35));
    SAVED.forEach(
        (skew, saved) ->
            checks.add(
                Check.atMost(
                    "time of a range, %s: next 0 %% / undivided".formatted(skew),
                    results.ratio(Measured.latency(RANGE), skew, FINEST, UNDIVIDED),
                    1 - saved)));
    return checks;
  }

  private static List<Check> writeChecks(Results results) {
    return List.of(
        Check.atLeast("PUTs, uniform: embedded / next", puts(results, EMBEDDED, DEFAULT), 1),
        Check.atLeast("PUTs, uniform: next / deferred", puts(results, DEFAULT, DEFERRED), 1),
        Check.atLeast("PUTs, uniform: next undivided / 0 %", puts(results, UNDIVIDED, FINEST), 1),
        Check.atMost(
            "space of the index, uniform: embedded / next",
            space(results, EMBEDDED) / space(results, DEFAULT),
            0.78),
        Check.atMost(
            "space of the index, uniform: next / deferred",
            space(results, DEFAULT) / space(results, DEFERRED),
            0.99),
        Check.atLeast(
            "space of the index, uniform: next 0 % / undivided",
            space(results, FINEST) / space(results, UNDIVIDED), 1));
  }

  private static List<Check> pointChecks(Results results) {
    String points = Measured.latency(POINT);
    return List.of(
        Check.atLeast(
            "what division gains, points / ranges, where it is least", pointsGain(results), 1),
        Check.atLeast(
            "time of a point, where the ratio is least: next undivided / deferred",
            results.leastRatio(points, UNDIVIDED, DEFERRED),
            1),
        Check.atLeast(
            "time of a point, where the ratio is least: deferred / next 0 %",
            results.leastRatio(points, DEFERRED, FINEST), 1),
        Check.atLeast(
            "time of a point, where the ratio is least: embedded / next 0 %",
            results.leastRatio(points, EMBEDDED, FINEST), 1));
  }

  private static double pointsGain(Results results) {
    return results.xs(Measured.latency(POINT)).stream()
        .mapToDouble(
            skew ->
                results.ratio(Measured.latency(POINT), skew, UNDIVIDED, FINEST)
                    / results.ratio(Measured.latency(RANGE), skew, UNDIVIDED, FINEST))
        .min()
        .orElse(Double.NaN);
  }

  private static Check slower(Results results, int hits, String slow, double bound) {
    return Check.atLeast(
        "time of a range of %d rows, uniform: %s / next".formatted(hits, slow),
        results.ratio(Measured.latency(UNIFORM_RANGE), Integer.toString(hits), slow, DEFAULT),
        bound);
  }

  private static double puts(Results results, String arm, String other) {
    return results.ratio(Measured.throughput(PUT), UNIFORM, arm, other);
  }

  private static double space(Results results, String arm) {
    return results.median(SIZE, UNIFORM, arm) - results.median(SIZE, UNIFORM, NONE);
  }
}
