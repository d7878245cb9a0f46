package io.deli.client.internal.build;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The threads that backfill the ranges of an index; the calling thread supervises them.
 *
 * @param check run every few seconds
 */
record WorkerPool(int threads, Worker worker, Check check, ProgressListener progress) {
  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The work of one thread. */
  interface Worker {
    /** Polls ranges until there are none, and finishes those. */
    void run(Queue<BuildCheckpoint.Range> left) throws IOException;
  }

  /** Throws if the build has to stop. */
  interface Check {
    void run() throws IOException;
  }

  /** Finishes the ranges that are not done; throws the first failure of a worker. */
  void run(List<BuildCheckpoint.Range> ranges, BuildCounters counters) throws IOException {
    Queue<BuildCheckpoint.Range> left = new ConcurrentLinkedQueue<>();
    ranges.stream().filter(range -> !range.done()).forEach(left::add);
    int done = ranges.size() - left.size();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CompletionService<Boolean> finished = new ExecutorCompletionService<>(pool);
      int working = Math.min(threads, left.size());
      for (int i = 0; i < working; i++) {
        var unused =
            finished.submit(
                () -> {
                  worker.run(left);
                  return true;
                });
      }
      watch(
          finished,
          working,
          () ->
              progress.progress("reading ranges of rows", done + counters.ranges(), ranges.size()));
    } catch (InterruptedException e) {
      throw Futures.interrupted("interrupted while building", e);
    } finally {
      left.clear();
      Futures.end(pool);
    }
  }

  private void watch(CompletionService<Boolean> finished, int workers, Runnable report)
      throws IOException, InterruptedException {
    int working = workers;
    long checked = System.nanoTime();
    while (working > 0) {
      report.run();
      Future<Boolean> done = finished.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (done != null) {
        working--;
        try {
          done.get();
        } catch (ExecutionException e) {
          check.run();
          throw Futures.toIOException(Futures.unwrap(e));
        }
      } else if (System.nanoTime() - checked > CHECK_NANOS) {
        check.run();
        checked = System.nanoTime();
      }
    }
    report.run();
  }
}
