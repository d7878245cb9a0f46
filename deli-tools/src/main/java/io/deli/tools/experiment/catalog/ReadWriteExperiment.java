package io.deli.tools.experiment.catalog;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.tools.experiment.Check;
import io.deli.tools.experiment.Claim;
import io.deli.tools.experiment.Experiment;
import io.deli.tools.experiment.Lab;
import io.deli.tools.experiment.Lab.Recorder;
import io.deli.tools.experiment.Plot;
import io.deli.tools.experiment.Results;
import io.deli.tools.experiment.ServerNeeds;
import io.deli.tools.experiment.Size;
import io.deli.tools.measure.Timing;
import io.deli.tools.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** Reads and updates in every ratio: by key on HBase, by value where there is an index. */
final class ReadWriteExperiment implements Experiment {
  private static final String THROUGHPUT = "throughput";
  private static final String READ = "read latency";
  private static final String WRITE = "write latency";
  private static final String PLAIN = "plain";
  private static final String DEFERRED = "deferred";
  private static final String IN_PLACE = "in-place";
  private static final int THREADS = 8;
  private static final int DIGITS = 3;

  /** More of them where most are writes, as in the paper. */
  private static final List<String> RATIOS = List.of("0", "0.1", "0.2", "0.3", "0.5", "0.7", "1");

  @Override
  public String name() {
    return "read-write";
  }

  @Override
  public String sentence() {
    return "Throughput and latency as the share of reads grows: Gets on plain HBase, reads by value"
        + " with DELI's index and with one updated in place (DELI, Figures 6 and 8).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "DELI, Figure 6",
            "HBase's throughput falls steeply as the share of reads grows; a Get takes an order of"
                + " magnitude longer than a Put."),
        new Claim(
            "DELI, Figure 8a",
            "With one read in ten DELI does at least 2.5 times what update in place does, and 10"
                + " times what MySQL does; with more reads it may fall behind."),
        new Claim(
            "DELI, Figure 8b",
            "DELI has the lowest write latency, and a read latency above that of update in place,"
                + " since it reads the base table, too."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  private static int rows(Size size) {
    return size.pick(500, 100_000, 500_000);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(40, 3_000, 15_000));
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(rows(size)),
        "threads", Integer.toString(THREADS),
        "time at each ratio", time(size).toMillis() + " ms");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    List<Store> stores =
        lab.wanted(Store.plainAnd(lab, name(), Pairs::index, DEFERRED, IN_PLACE), Store::arm);
    try {
      lab.rounds(
          "mix",
          stores,
          Store::arm,
          () -> {
            for (Store store : stores) {
              store.create(Pairs.FAMILY);
              pairs.fillVersions(store, 2);
            }
          },
          (store, recorder) -> {
            for (String ratio : RATIOS) {
              mix(store, pairs, ratio, recorder);
            }
          });
    } finally {
      Store.dropAll(stores);
    }
  }

  private static void mix(Store store, Pairs pairs, String ratio, Recorder recorder)
      throws IOException {
    double reads = Double.parseDouble(ratio);
    Histogram readNanos = new ConcurrentHistogram(DIGITS);
    Histogram writeNanos = new ConcurrentHistogram(DIGITS);
    Timing timing =
        Workers.during(
            time(store.lab().size()),
            THREADS,
            thread -> {
              Table table = store.open();
              return Workers.closing(
                  table,
                  random -> {
                    long start = System.nanoTime();
                    if (random.nextDouble() < reads) {
                      read(store, table, pairs, random);
                      readNanos.recordValue(System.nanoTime() - start);
                    } else {
                      table.put(pairs.update(random));
                      writeNanos.recordValue(System.nanoTime() - start);
                    }
                    return 1;
                  });
            });
    recorder.add(THROUGHPUT, ratio, "operations/s", timing.rate());
    record(recorder, READ, ratio, readNanos);
    record(recorder, WRITE, ratio, writeNanos);
  }

  private static void read(Store store, Table table, Pairs pairs, SplittableRandom random)
      throws IOException {
    if (store.index().isEmpty()) {
      table.get(new Get(Pairs.key(random.nextInt(pairs.rows()))));
    } else {
      byte[] value = Pairs.value(random.nextInt(pairs.values()));
      Lookups.count((DeliTable) table, ValueQuery.on(Pairs.INDEX).equalTo(value));
    }
  }

  private static void record(Recorder recorder, String measure, String ratio, Histogram nanos) {
    if (nanos.getTotalCount() > 0) {
      recorder.add(measure, ratio, "ms", nanos.getMean() / 1e6);
    }
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
    String few = "0.1";
    String half = "0.5";
    return List.of(
        Check.atLeast(
            "plain: throughput of writes alone / reads alone",
            results.median(THROUGHPUT, "0", PLAIN) / results.median(THROUGHPUT, "1", PLAIN),
            2),
        Check.atLeast(
            "plain, half reads: time of a Get / a Put",
            results.median(READ, half, PLAIN) / results.median(WRITE, half, PLAIN),
            5),
        Check.atLeast(
            "throughput, 0.1 reads: deferred / in-place",
            results.ratio(THROUGHPUT, few, DEFERRED, IN_PLACE),
            2),
        Check.atMost(
            "write latency, 0.1 reads: deferred / in-place",
            results.ratio(WRITE, few, DEFERRED, IN_PLACE),
            1),
        Check.atLeast(
            "read latency, half reads: deferred / in-place",
            results.ratio(READ, half, DEFERRED, IN_PLACE),
            1),
        Check.atMost(
            "what deferred has ahead of in-place, reads alone / writes alone",
            results.ratio(THROUGHPUT, "1", DEFERRED, IN_PLACE)
                / results.ratio(THROUGHPUT, "0", DEFERRED, IN_PLACE),
            1));
  }
}
