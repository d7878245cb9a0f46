package io.deli.tools.experiment.catalog;

import io.deli.tools.experiment.Lab;
import io.deli.tools.experiment.Lab.Recorder;
import io.deli.tools.measure.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;

/** Rows that are put one by one, and the tables that have them already. */
final class Ingestion {
  static final String PUT = "PUT";
  static final String SIZE = "size";
  static final int WRITERS = 8;

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
    Measured.throughput(
        recorder, PUT, "", Workers.toTheEnd(WRITERS, thread -> writer(store, thread)));
    store.settle();
    double base = store.baseMegabytes();
    double both = store.megabytes();
    recorder.add(SIZE, "base", "MB", base);
    recorder.add(SIZE, "index", "MB", both - base);
    recorder.add(SIZE, "both", "MB", both);
    loaded.add(store);
  }

  private Workers.Worker writer(Store store, int thread) throws IOException {
    Table table = store.open();
    int[] next = {thread};
    return Workers.closing(
        table,
        random -> {
          if (next[0] >= tweets.rows()) {
            return 0;
          }
          table.put(tweets.put(next[0]));
          next[0] += WRITERS;
          return 1;
        });
  }
}
