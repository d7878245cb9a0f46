package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
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

/** A table with two indexes, of numbers and of points, beside one with the first alone. */
final class TwoIndexesExperiment implements Experiment {
  private static final String NUMBERS = "range lookup";
  private static final String PLACES = "square lookup";
  private static final String NONE = "none";
  private static final String DEFERRED = "deferred";
  private static final String NEXT = "next";
  private static final String DEFERRED_ALONE = "deferred alone";
  private static final String NEXT_ALONE = "next alone";
  private static final int FEW = 10;
  private static final int SOME = 100;
  private static final int MANY = 1_000;
  private static final List<Integer> HITS = List.of(FEW, SOME, MANY);

  /** What is alike in the paper, and not put into figures. */
  private static final double ALIKE = 1.1;

  @Override
  public String name() {
    return "next-two";
  }

  @Override
  public String sentence() {
    return "Writes, space and lookups of a table with two indexes, of numbers and of points, and"
        + " of one with the first alone (NEXT, Table 5).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "NEXT, Table 5, tweets",
            "With two indexes a Put takes 15.2 us with standalone ones and 17.1 us with NEXT; all"
                + " takes 16.8 GB and 17.2 GB."),
        new Claim(
            "NEXT, Table 5, tweets",
            "For small, medium and large ranges of numbers standalone takes 1.5, 12.7 and 129 s,"
                + " NEXT 0.8, 6.1 and 51; for squares standalone 0.9, 4.2 and 166 s, NEXT 1.0, 2.7"
                + " and 69."),
        new Claim(
            "NEXT, section 6.6",
            "A second index makes writes slower and takes space; lookups do as with one (here:"
                + " within a tenth)."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  /** Some of them suffice to show that it works. */
  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY
        ? List.of(DEFERRED, NEXT)
        : List.of(NONE, DEFERRED_ALONE, DEFERRED, NEXT_ALONE, NEXT);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows",
        Integer.toString(NextExperiment.rows(size)),
        "files",
        NextExperiment.files(size) + ", each of rows of the whole table, not compacted",
        "reader",
        "1, for " + NextExperiment.time(size).toMillis() + " ms a measurement");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Places places = new Places(new Numbers(NextExperiment.rows(lab.size()), 0));
    Flushes writing =
        new Flushes(
            Numbers.FAMILY,
            NextExperiment.rows(lab.size()),
            NextExperiment.files(lab.size()),
            places::put);
    List<Store> stores = lab.wanted(this, stores(lab), Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () ->
            lab.rounds(
                "two",
                stores,
                Store::arm,
                () -> {},
                (store, recorder) -> {
                  writing.measure(store, "", recorder);
                  lab.quiet();
                  look(store, places, recorder);
                }));
  }

  private List<Store> stores(Lab lab) {
    List<Store> stores = new ArrayList<>();
    // Its conditions need an index by name, if one that keeps nothing.
    stores.add(both(lab, NONE));
    for (String strategy : List.of(DEFERRED, NEXT)) {
      String alone = strategy.equals(NEXT) ? NEXT_ALONE : DEFERRED_ALONE;
      stores.add(Store.of(lab, name(), alone, List.of(Numbers.index(strategy))).keepingFiles());
      stores.add(both(lab, strategy));
    }
    return stores;
  }

  private Store both(Lab lab, String strategy) {
    return Store.of(lab, name(), strategy, List.of(Numbers.index(strategy), Places.index(strategy)))
        .keepingFiles();
  }

  private static void look(Store store, Places places, Recorder recorder) throws IOException {
    for (int hits : HITS) {
      ask(store, recorder, NUMBERS, hits, random -> places.numbers().range(hits, random));
      if (store.indexes().size() > 1) {
        ask(store, recorder, PLACES, hits, random -> places.square(hits, random));
      }
    }
  }

  private static void ask(
      Store store,
      Recorder recorder,
      String operation,
      int hits,
      Function<SplittableRandom, ValueQuery> queries)
      throws IOException {
    Duration time = NextExperiment.time(store.lab().size());
    Measured.lookups(store, recorder, operation, Integer.toString(hits), time, queries);
  }

  @Override
  public List<Plot> plots() {
    String hits = "rows in the range, on average";
    return List.of(
        Plot.groups("put", "Rows written and flushed", Measured.throughput(Flushes.PUT), ""),
        Plot.groups("size", "Space in files", Flushes.SIZE, ""),
        Plot.groups("numbers", "Rows by a range of numbers", Measured.latency(NUMBERS), hits)
            .onLogarithmicScale(),
        Plot.groups("places", "Rows by a square", Measured.latency(PLACES), hits)
            .onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>(writeChecks(results));
    checks.add(slower(results, NUMBERS, FEW, 1.9));
    checks.add(slower(results, NUMBERS, SOME, 2.1));
    checks.add(slower(results, NUMBERS, MANY, 2.5));
    checks.add(slower(results, PLACES, FEW, 0.83));
    checks.add(slower(results, PLACES, SOME, 1.6));
    checks.add(slower(results, PLACES, MANY, 2.4));
    checks.add(alike(results, DEFERRED, DEFERRED_ALONE));
    checks.add(alike(results, NEXT, NEXT_ALONE));
    return checks;
  }

  private static List<Check> writeChecks(Results results) {
    String puts = Measured.throughput(Flushes.PUT);
    return List.of(
        Check.atLeast("PUTs: next / deferred", results.ratio(puts, "", NEXT, DEFERRED), 0.89),
        Check.atMost(
            "space: next / deferred", results.ratio(Flushes.SIZE, "", NEXT, DEFERRED), 1.03),
        Check.atLeast(
            "PUTs: deferred, one index / two",
            results.ratio(puts, "", DEFERRED_ALONE, DEFERRED),
            1),
        Check.atLeast("PUTs: next, one index / two", results.ratio(puts, "", NEXT_ALONE, NEXT), 1));
  }

  private static Check slower(Results results, String operation, int hits, double bound) {
    return Check.atLeast(
        "time of a %s, %d rows: deferred / next".formatted(operation, hits),
        results.ratio(Measured.latency(operation), Integer.toString(hits), DEFERRED, NEXT),
        bound);
  }

  private static Check alike(Results results, String both, String alone) {
    return Check.atMost(
        "time of a %s, where the ratio is greatest: %s, two indexes / one".formatted(NUMBERS, both),
        results.greatestRatio(Measured.latency(NUMBERS), both, alone),
        ALIKE);
  }
}
