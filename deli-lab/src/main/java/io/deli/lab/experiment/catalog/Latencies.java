package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Lab.Recorder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long the operations of each kind took that many threads did. Thread-safe. */
final class Latencies {
  private static final int DIGITS = 3;

  private final Map<String, Histogram> nanos = new ConcurrentHashMap<>();

  /** What is timed. */
  @FunctionalInterface
  interface Operation {
    void run() throws IOException;
  }

  void time(String kind, Operation operation) throws IOException {
    long start = System.nanoTime();
    operation.run();
    nanos
        .computeIfAbsent(kind, each -> new ConcurrentHistogram(DIGITS))
        .recordValue(System.nanoTime() - start);
  }

  /** Adds what others took, which are timed no more. */
  void add(Latencies others) {
    others.nanos.forEach(
        (kind, found) ->
            nanos.computeIfAbsent(kind, each -> new ConcurrentHistogram(DIGITS)).add(found));
  }

  /** Records the mean of a kind, if there was any. */
  void record(Recorder recorder, String kind, String measure, String x) {
    Histogram found = nanos.get(kind);
    if (found != null) {
      recorder.add(measure, x, "ms", found.getMean() / 1e6);
    }
  }
}
