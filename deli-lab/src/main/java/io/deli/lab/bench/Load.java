package io.deli.lab.bench;

import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.hbase.client.Put;

/** Drives an arm with a number of threads. */
final class Load {
  private static final int LOAD_BATCH = 500;
  private static final int LOAD_THREADS = 4;

  /** What a thread repeats; returns how many operations it did. */
  @FunctionalInterface
  interface Step {
    int run(Arm.Session session, SplittableRandom random) throws IOException;
  }

  private Load() {}

  /** Operations per second of the step, repeated by the threads for a time. */
  static double rate(Arm arm, int threads, int seconds, Step step) throws IOException {
    return Workers.during(Duration.ofSeconds(seconds), threads, thread -> worker(arm.open(), step))
        .rate();
  }

  /** Writes every key once, with the value that the function gives to it. */
  static void fill(Arm arm, int keys, IntUnaryOperator value) throws IOException {
    Workers.toTheEnd(
        LOAD_THREADS,
        thread -> {
          int[] next = {thread};
          return worker(
              arm.open(),
              (session, random) -> {
                List<Put> batch = new ArrayList<>(LOAD_BATCH);
                for (; next[0] < keys && batch.size() < LOAD_BATCH; next[0] += LOAD_THREADS) {
                  batch.add(BenchTables.put(next[0], value.applyAsInt(next[0])));
                }
                if (!batch.isEmpty()) {
                  session.write(batch);
                }
                return batch.size();
              });
        });
  }

  private static Workers.Worker worker(Arm.Session session, Step step) {
    return Workers.closing(session, random -> step.run(session, random));
  }
}
