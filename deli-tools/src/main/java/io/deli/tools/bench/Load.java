package io.deli.tools.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    long operations =
        inParallel(
            threads,
            thread -> {
              SplittableRandom random = new SplittableRandom(31L * start + thread);
              long done = 0;
              try (Arm.Session session = arm.open()) {
                while (System.nanoTime() < end) {
                  done += step.run(session, random);
                }
              }
              return done;
            });
    return operations * 1e9 / (System.nanoTime() - start);
  }

  /** Writes every key once, with the value that the function gives to it. */
  static void fill(Arm arm, int keys, IntUnaryOperator value) throws IOException {
    inParallel(
        LOAD_THREADS,
        thread -> {
          try (Arm.Session session = arm.open()) {
            List<Put> batch = new ArrayList<>(LOAD_BATCH);
            for (int key = thread; key < keys; key += LOAD_THREADS) {
              batch.add(BenchTables.put(key, value.applyAsInt(key)));
              if (batch.size() == LOAD_BATCH || key + LOAD_THREADS >= keys) {
                session.write(batch);
                batch = new ArrayList<>(LOAD_BATCH);
              }
            }
          }
          return 0;
        });
  }

  @FunctionalInterface
  private interface Job {
    long run(int thread) throws IOException;
  }

  private static long inParallel(int threads, Job job) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(pool.submit(() -> job.run(thread)));
      }
      long sum = 0;
      for (Future<Long> each : running) {
        sum += each.get();
      }
      return sum;
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("benchmark interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException("a benchmark thread failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
