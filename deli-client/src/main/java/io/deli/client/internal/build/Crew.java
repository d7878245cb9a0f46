package io.deli.client.internal.build;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The threads that go through the ranges of a build, and the one that watches them. */
final class Crew {
  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final int threads;
  private final RangeBuild work;
  private final Check check;
  private final ProgressListener progress;

  /** Throws if the work is of no use any more. */
  interface Check {
    void run() throws IOException;
  }

  /**
   * @param check made now and then
   */
  Crew(int threads, RangeBuild work, Check check, ProgressListener progress) {
    this.threads = threads;
    this.work = work;
    this.check = check;
    this.progress = progress;
  }

  /** Finishes those that are not done; throws what the first of them fails with. */
  void run(List<KeyRange> ranges, Effort effort) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CompletionService<Boolean> finished = new ExecutorCompletionService<>(pool);
      int left = 0;
      for (KeyRange range : ranges) {
        if (!range.done()) {
          left++;
          var unused =
              finished.submit(
                  () -> {
                    work.run(range);
                    return true;
                  });
        }
      }
      watch(finished, left, ranges.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("stopped").initCause(e);
    } finally {
      end(pool);
    }
  }

  private void watch(CompletionService<Boolean> finished, int submitted, int total)
      throws IOException, InterruptedException {
    int left = submitted;
    long checked = System.nanoTime();
    while (left > 0) {
      progress.progress("reading ranges of rows", (long) total - left, total);
      Future<Boolean> done = finished.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (done != null) {
        left--;
        try {
          done.get();
        } catch (ExecutionException e) {
          check.run();
          throw Failures.io(Failures.plain(e));
        }
      } else if (System.nanoTime() - checked > CHECK_NANOS) {
        check.run();
        checked = System.nanoTime();
      }
    }
    progress.progress("reading ranges of rows", total, total);
  }

  /** Ends those that still work, and waits for that: they must not write after this. */
  private static void end(ExecutorService pool) {
    pool.shutdownNow();
    try {
      while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
