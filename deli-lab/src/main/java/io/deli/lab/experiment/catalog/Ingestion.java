package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.measure.Timing;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;

/** Rows that are put one by one, and the tables that have them already. */
final class Ingestion {
  static final String PUT = "PUT";
  static final String SIZE = "size";
  static final int WRITERS = 8;

  private static final String GROWTH = "PUT throughput as it grows";
  private static final int PARTS = 4;

  private final List<Store> stores;
  private final Tweets tweets;
  private final List<Store> loaded = new ArrayList<>();

  Ingestion(List<Store> stores, Tweets tweets) {
    this.stores = stores;
    this.tweets = tweets;
  }

  /** Measures the PUTs of all rows, in the order of time; then sizes in files, compacted. */
  void measure(Lab lab) throws IOException {
    lab.rounds("put", stores, Store::arm, () -> {}, this::put);
  }

  /** For the stages that read, if the one that writes was done in an earlier run. */
  void makeUpFor() throws IOException {
    for (Store store : stores) {
      if (!loaded.contains(store)) {
        put(store, (measure, x, unit, value) -> {});
      }
    }
  }

  private void put(Store store, Recorder recorder) throws IOException {
    store.create(Tweets.FAMILY);
    Measured.throughput(recorder, PUT, "", putAll(store, recorder));
    store.settle();
    double base = store.baseMegabytes();
    double both = store.megabytes();
    recorder.add(SIZE, "base", "MB", base);
    recorder.add(SIZE, "index", "MB", both - base);
    recorder.add(SIZE, "both", "MB", both);
    loaded.add(store);
  }

  private Timing putAll(Store store, Recorder recorder) throws IOException {
    List<Timing> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      int first = tweets.rows() / PARTS * part;
      int end = part == PARTS - 1 ? tweets.rows() : first + tweets.rows() / PARTS;
      Timing timing = Workers.toTheEnd(WRITERS, thread -> writer(store, first + thread, end));
      recorder.add(GROWTH, part(part), "operations/s", timing.rate());
      parts.add(timing);
    }
    return parts.stream().reduce(Timing::then).orElseThrow();
  }

  private static String part(int number) {
    return Integer.toString(100 * (number + 1) / PARTS);
  }

  private Workers.Worker writer(Store store, int first, int end) throws IOException {
    Table table = store.open();
    int[] next = {first};
    return Workers.closing(
        table,
        random -> {
          if (next[0] >= end) {
            return 0;
          }
          table.put(tweets.put(next[0]));
          next[0] += WRITERS;
          return 1;
        });
  }

  static Plot growthPlot() {
    return Plot.lines(
        "put-growth", "Single rows put as a table grows", GROWTH, "per cent of the rows");
  }

  /** Throughput of the last part of the rows to that of the first. */
  static double growth(Results results, String arm) {
    return results.median(GROWTH, part(PARTS - 1), arm) / results.median(GROWTH, part(0), arm);
  }
}
