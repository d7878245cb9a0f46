package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.measure.Timing;
import java.io.IOException;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.client.Put;

/**
 * Rows written into so many files, each with rows of the whole table. Flushes count, since it is
 * they that write what embedded and next know.
 */
record Flushes(byte[] family, int rows, int files, IntFunction<Put> row) {
  static final String PUT = Ingestion.PUT;
  static final String SIZE = Ingestion.SIZE;

  void measure(Store store, String x, Recorder recorder) throws IOException {
    double seconds = write(store);
    recorder.add(Measured.throughput(PUT), x, "operations/s", rows / seconds);
    recorder.add(SIZE, x, "MB", store.megabytes());
  }

  /** Creates the table and writes it; returns the seconds that the writing took. */
  double write(Store store) throws IOException {
    store.create(family);
    double seconds = 0;
    for (int file = 0; file < files; file++) {
      int rest = file;
      Timing filling = store.fill(rows, each -> each % files == rest, row);
      long start = System.nanoTime();
      store.flush();
      seconds += filling.seconds() + (System.nanoTime() - start) / 1e9;
    }
    return seconds;
  }
}
