package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Updates of random rows, offered at growing rates. */
record WriteOnlyExperiment(Cache cache) implements Experiment {
  private static final String THROUGHPUT = "write throughput";
  private static final String LATENCY = "write latency";
  private static final String PLAIN = StoreContender.PLAIN;
  private static final String DEFERRED = StoreContender.DEFERRED;
  private static final String IN_PLACE = StoreContender.IN_PLACE;
  private static final String MOST = "greatest throughput: deferred / in-place";
  private static final int THREADS = 32;

  /** Writes per second that are offered; the last are more than any arm sustains. */
  private static final List<Integer> TARGETS =
      List.of(500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000);

  @Override
  public String name() {
    return cache.name("write-only");
  }

  @Override
  public String sentence() {
    return cache.sentence(
        "Throughput and latency of updates without an index, with DELI's, and with one updated in"
            + " place, as more are offered (DELI, Figure 7)");
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "DELI, Figure 7a",
            "Update in place saturates at 4,000 operations a second, DELI at 14,000; the paper calls"
                + " it three times as many. Without an index there are still more."),
        new Claim("DELI, Figure 7b", "DELI's latency is below update in place at every target."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return cache.server(size);
  }

  @Override
  public boolean isBeyondCache() {
    return cache == Cache.HOLDS_LITTLE;
  }

  private static int rows(Size size) {
    return size.pick(500, 100_000, 500_000);
  }

  /** Some of them suffice to show that it works. */
  private static List<Integer> targets(Size size) {
    return size == Size.TINY ? List.of(500, 32_000) : TARGETS;
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(40, 3_000, 15_000));
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(PLAIN, DEFERRED, IN_PLACE);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows",
        Integer.toString(rows(size)),
        "files at first",
        Integer.toString(cache.files(size)),
        Cache.BEFORE_EACH,
        Cache.RESTORED,
        "writers",
        Integer.toString(THREADS),
        "time at each rate",
        time(size).toMillis() + " ms");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    List<String> points = targets(lab.size()).stream().map(String::valueOf).toList();
    new Contest(cache, StoreContender.all(lab, name(), cache, pairs), points)
        .run(
            lab,
            "write",
            (contender, target, recorder) ->
                write(contender, pairs, target, time(lab.size()), recorder));
  }

  private static void write(
      Contender contender, Pairs pairs, String target, Duration time, Recorder recorder)
      throws IOException {
    Measured.throughput(
        recorder,
        "write",
        target,
        Workers.during(
            time,
            THREADS,
            Workers.paced(
                Integer.parseInt(target),
                THREADS,
                thread -> {
                  Contender.Client client = contender.open();
                  return Workers.closing(
                      client,
                      random -> {
                        client.update(random.nextInt(pairs.rows()), random.nextInt(pairs.values()));
                        return 1;
                      });
                })));
  }

  @Override
  public List<Plot> plots() {
    String offered = "offered, operations/s";
    return List.of(
        Plot.lines("throughput", "Updates that were done", THROUGHPUT, offered),
        Plot.lines("latency", "Time of an update", LATENCY, offered).onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    double greatest = most(results, DEFERRED) / most(results, IN_PLACE);
    String last = Integer.toString(TARGETS.get(TARGETS.size() - 1));
    List<Check> checks = new ArrayList<>(cache.ahead(MOST, greatest, 3, 2));
    checks.addAll(otherChecks(results, last));
    return checks;
  }

  private static List<Check> otherChecks(Results results, String last) {
    return List.of(
        Check.atMost(
            "latency of 99 %% of the updates, %s offered: deferred / plain (aim)".formatted(last),
            results.ratio(LATENCY + ", 99 %", last, DEFERRED, PLAIN),
            2),
        Check.atLeast(
            "greatest throughput: plain / deferred",
            most(results, PLAIN) / most(results, DEFERRED),
            1),
        Check.atMost(
            "latency: deferred / in-place, at the target where it is greatest",
            results.greatestRatio(LATENCY, DEFERRED, IN_PLACE),
            1));
  }

  private static double most(Results results, String arm) {
    return results.xs(THROUGHPUT).stream()
        .mapToDouble(x -> results.median(THROUGHPUT, x, arm))
        .max()
        .orElse(Double.NaN);
  }
}
