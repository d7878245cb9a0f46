package io.deli.lab.experiment;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/** Threads that repeat a step each. */
final class Workers {
  private static final int DIGITS = 3;

  /** The step that one thread repeats; belongs to it alone. */
  interface Worker extends Closeable {
    /** Does some operations and returns how many; 0 when there are no more to do. */
    int run(RandomGenerator random) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  @FunctionalInterface
  interface Opening {
    Worker open(int thread) throws IOException;
  }

  private Workers() {}

  /** Repeats the steps for a time, at least once each. */
  static Outcome during(Duration time, int threads, Opening opening) throws IOException {
    return run(Optional.of(time), OptionalDouble.empty(), threads, opening);
  }

  /**
   * Repeats the steps until all workers have no more to do.
   *
   * @param time after which no more begin, if it is bounded; each is done at least once
   * @param rate of all threads together, in steps a second, if it is bounded: each begins its first
   *     at a time of its own, so that they do not step at once
   */
  static Outcome run(Optional<Duration> time, OptionalDouble rate, int threads, Opening opening)
      throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      long nanos = time.map(Duration::toNanos).orElse(Long.MAX_VALUE);
      long step = (long) (threads * 1e9 / rate.orElse(Double.POSITIVE_INFINITY));
      List<Future<Outcome>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        SplittableRandom random = new SplittableRandom(31L * start + thread);
        Pace pace = new Pace(step, start + step / threads * thread);
        running.add(
            pool.submit(
                () -> {
                  try (Worker worker = opening.open(thread)) {
                    return repeat(worker, random, pace, start, nanos);
                  }
                }));
      }
      Histogram latencies = new Histogram(DIGITS);
      long operations = 0;
      for (Future<Outcome> each : running) {
        operations += each.get().operations();
        latencies.add(each.get().stepNanos());
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Outcome(operations, seconds, latencies, Map.of(), Map.of());
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("benchmark interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException("a benchmark thread failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static Outcome repeat(
      Worker worker, RandomGenerator random, Pace pace, long start, long nanos) throws IOException {
    Histogram latencies = new Histogram(DIGITS);
    long operations = 0;
    int done;
    long now;
    do {
      pace.await();
      long before = System.nanoTime();
      done = worker.run(random);
      now = System.nanoTime();
      if (done > 0) {
        latencies.recordValue(now - before);
        operations += done;
      }
    } while (done > 0 && now - start < nanos);
    return new Outcome(operations, (now - start) / 1e9, latencies, Map.of(), Map.of());
  }

  private static final class Pace {
    private final long step;
    private long due;

    Pace(long step, long first) {
      this.step = step;
      this.due = first;
    }

    void await() {
      long now = System.nanoTime();
      while (now < due && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(due - now);
        now = System.nanoTime();
      }
      // More than one step that was missed is not made up for: no bursts.
      due = Math.max(due, now - step) + step;
    }
  }
}
