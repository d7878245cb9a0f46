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
import io.deli.lab.measure.Timing;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads and updates in every ratio: by key on HBase, by value where there is an index. */
record ReadWriteExperiment(Cache cache) implements Experiment {
  private static final String THROUGHPUT = "throughput";
  private static final String READ = "read latency";
  private static final String WRITE = "write latency";
  private static final String PLAIN = StoreContender.PLAIN;
  private static final String DEFERRED = StoreContender.DEFERRED;
  private static final String IN_PLACE = StoreContender.IN_PLACE;
  private static final String FEW = "0.1";
  private static final String HALF = "0.5";
  private static final int THREADS = 8;

  /** More of them where most are writes, as in the paper. */
  private static final List<String> RATIOS = List.of("0", "0.1", "0.2", "0.3", "0.5", "0.7", "1");

  @Override
  public String name() {
    return cache.name("read-write");
  }

  @Override
  public String sentence() {
    return cache.sentence(
        "Throughput and latency as the share of reads grows: Gets on plain HBase, reads by value"
            + " with DELI's index and with one updated in place%s (DELI, Figures 6 and 8)"
                .formatted(comparesDatabase() ? ", and on MariaDB" : ""));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "DELI, Figure 6",
            "HBase's throughput falls steeply as the share of reads grows (here: by half at least)."
                + " A Get takes an order of magnitude longer than a Put, and the less the more"
                + " reads there are."),
        new Claim(
            "DELI, Figure 8a",
            "With one read in ten DELI does at least 2.5 times what update in place does, and 10"
                + " times what MySQL does; with more reads it may fall behind update in place, which"
                + " gains by them. MySQL is slow at every ratio."),
        new Claim(
            "DELI, Figure 8b",
            "DELI has the lowest write latency, and a read latency above that of update in place,"
                + " since it reads the base table, too."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return cache.server(size);
  }

  /** Its default buffer holds all rows, too. */
  @Override
  public boolean comparesDatabase() {
    return cache == Cache.HOLDS_ALL;
  }

  @Override
  public boolean isBeyondCache() {
    return cache == Cache.HOLDS_LITTLE;
  }

  private static int rows(Size size) {
    return size.pick(500, 100_000, 500_000);
  }

  /** Some of them suffice to show that it works. */
  private static List<String> ratios(Size size) {
    return size == Size.TINY ? List.of("0", FEW) : RATIOS;
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(40, 3_000, 15_000));
  }

  @Override
  public List<String> arms(Size size) {
    return comparesDatabase()
        ? List.of(PLAIN, DEFERRED, IN_PLACE, DatabaseContender.ARM)
        : List.of(PLAIN, DEFERRED, IN_PLACE);
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
        "threads",
        Integer.toString(THREADS),
        "durability",
        "HBase hands its log to the operating system before it answers; a database does as its"
            + " settings say",
        "time at each ratio",
        time(size).toMillis() + " ms");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    List<Contender> all = new ArrayList<>(StoreContender.all(lab, name(), cache, pairs));
    lab.database().ifPresent(database -> all.add(new DatabaseContender(database, pairs)));
    new Contest(cache, all, ratios(lab.size()))
        .run(
            lab,
            "mix",
            (contender, ratio, recorder) ->
                mix(contender, pairs, ratio, time(lab.size()), recorder));
  }

  private static void mix(
      Contender contender, Pairs pairs, String ratio, Duration time, Recorder recorder)
      throws IOException {
    double reads = Double.parseDouble(ratio);
    Latencies latencies = new Latencies();
    Timing timing =
        Workers.during(
            time,
            THREADS,
            thread -> {
              Contender.Client client = contender.open();
              return Workers.closing(
                  client,
                  random -> {
                    int row = random.nextInt(pairs.rows());
                    int value = random.nextInt(pairs.values());
                    if (random.nextDouble() < reads) {
                      latencies.time(READ, () -> client.read(row, value));
                    } else {
                      latencies.time(WRITE, () -> client.update(row, value));
                    }
                    return 1;
                  });
            });
    recorder.add(THROUGHPUT, ratio, "operations/s", timing.rate());
    latencies.record(recorder, READ, READ, ratio);
    latencies.record(recorder, WRITE, WRITE, ratio);
  }

  @Override
  public List<Plot> plots() {
    String ratio = "share of reads";
    return List.of(
        Plot.lines("throughput", "Reads and updates", THROUGHPUT, ratio),
        Plot.lines("read-latency", "Time of a read (plain: by key)", READ, ratio)
            .onLogarithmicScale(),
        Plot.lines("write-latency", "Time of an update", WRITE, ratio).onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>(plainChecks(results));
    double few = results.ratio(THROUGHPUT, FEW, DEFERRED, IN_PLACE);
    checks.addAll(cache.ahead("throughput, 0.1 reads: deferred / in-place", few, 2.5, 1.5));
    checks.add(
        Check.atMost(
            "what deferred has ahead of in-place, reads alone / writes alone",
            results.ratio(THROUGHPUT, "1", DEFERRED, IN_PLACE)
                / results.ratio(THROUGHPUT, "0", DEFERRED, IN_PLACE),
            1));
    checks.add(
        Check.atMost(
            "write latency, where the ratio is greatest: deferred / in-place",
            results.greatestRatio(WRITE, DEFERRED, IN_PLACE),
            1));
    checks.add(
        Check.atLeast(
            "read latency, where the ratio is least: deferred / in-place",
            results.leastRatio(READ, DEFERRED, IN_PLACE),
            1));
    if (comparesDatabase()) {
      checks.addAll(databaseChecks(results));
    }
    return checks;
  }

  private static List<Check> databaseChecks(Results results) {
    return List.of(
        Check.atLeast(
            "throughput, 0.1 reads: deferred / MariaDB",
            results.ratio(THROUGHPUT, FEW, DEFERRED, DatabaseContender.ARM),
            10),
        Check.atLeast(
            "throughput, where the ratio is least: deferred / MariaDB",
            results.leastRatio(THROUGHPUT, DEFERRED, DatabaseContender.ARM),
            1),
        Check.atMost(
            "write latency, where the ratio is greatest: deferred / MariaDB",
            results.greatestRatio(WRITE, DEFERRED, DatabaseContender.ARM),
            1));
  }

  private static List<Check> plainChecks(Results results) {
    return List.of(
        Check.atLeast(
            "plain: throughput of writes alone / reads alone",
            results.median(THROUGHPUT, "0", PLAIN) / results.median(THROUGHPUT, "1", PLAIN),
            2),
        Check.atLeast(
            "plain, half reads: time of a Get / a Put",
            results.median(READ, HALF, PLAIN) / results.median(WRITE, HALF, PLAIN),
            10),
        Check.atMost(
            "plain: time of a Get, reads alone / 0.1 reads",
            results.median(READ, "1", PLAIN) / results.median(READ, FEW, PLAIN),
            1));
  }
}
