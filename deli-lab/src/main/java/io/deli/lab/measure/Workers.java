package io.deli.lab.measure;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Threads that repeat a step each. */
public final class Workers {
  private static final int DIGITS = 3;

  /** The step that one thread repeats; belongs to it alone. */
  public interface Worker extends Closeable {
    /** Does some operations and returns how many; 0 when there are no more to do. */
    int run(SplittableRandom random) throws IOException;

    /** Waits until the next step is due; not counted as its time. */
    default void pace() {}

    @Override
    default void close() throws IOException {}
  }

  /** Makes the worker of a thread. */
  @FunctionalInterface
  public interface Opening {
    Worker open(int thread) throws IOException;
  }

  private Workers() {}

  /** Repeats the steps until all workers have no more to do. */
  public static Timing toTheEnd(int threads, Opening opening) throws IOException {
    return until(threads, Long.MAX_VALUE, opening);
  }

  /** Repeats the steps for a time, at least once each. */
  public static Timing during(Duration time, int threads, Opening opening) throws IOException {
    return until(threads, time.toNanos(), opening);
  }

  private static Timing until(int threads, long nanos, Opening opening) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      List<Future<Timing>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        SplittableRandom random = new SplittableRandom(31L * start + thread);
        running.add(
            pool.submit(
                () -> {
                  try (Worker worker = opening.open(thread)) {
                    return repeat(worker, random, start, nanos);
                  }
                }));
      }
      Histogram latencies = new Histogram(DIGITS);
      long operations = 0;
      for (Future<Timing> each : running) {
        operations += each.get().operations();
        latencies.add(each.get().stepNanos());
      }
      return new Timing(operations, (System.nanoTime() - start) / 1e9, latencies);
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("benchmark interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException("a benchmark thread failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static Timing repeat(Worker worker, SplittableRandom random, long start, long nanos)
      throws IOException {
    Histogram latencies = new Histogram(DIGITS);
    long operations = 0;
    int done;
    long now;
    do {
      worker.pace();
      long before = System.nanoTime();
      done = worker.run(random);
      now = System.nanoTime();
      if (done > 0) {
        latencies.recordValue(now - before);
        operations += done;
      }
    } while (done > 0 && now - start < nanos);
    return new Timing(operations, (now - start) / 1e9, latencies);
  }

  /** A worker that uses something which is closed with it. */
  public static Worker closing(Closeable used, Worker worker) {
    return new Worker() {
      @Override
      public int run(SplittableRandom random) throws IOException {
        return worker.run(random);
      }

      @Override
      public void close() throws IOException {
        used.close();
      }
    };
  }

  /**
   * Threads that together do not begin more than this many steps a second, evenly: each begins its
   * first at a time of its own, so that they do not step at once.
   */
  public static Opening paced(double rate, int threads, Opening opening) {
    long step = (long) (threads * TimeUnit.SECONDS.toNanos(1) / rate);
    long start = System.nanoTime();
    return thread -> pacing(step, start + step / threads * thread, opening.open(thread));
  }

  private static Worker pacing(long step, long first, Worker worker) {
    return new Worker() {
      private long due = first;

      @Override
      public void pace() {
        long now = System.nanoTime();
        while (now < due && !Thread.currentThread().isInterrupted()) {
          LockSupport.parkNanos(due - now);
          now = System.nanoTime();
        }
        // More than one step that was missed is not made up for: no bursts.
        due = Math.max(due, now - step) + step;
      }

      @Override
      public int run(SplittableRandom random) throws IOException {
        return worker.run(random);
      }

      @Override
      public void close() throws IOException {
        worker.close();
      }
    };
  }
}
