package io.deli.client.internal.build;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Failures;
import java.io.IOException;
import java.io.InterruptedIOException;
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

/** The threads that go through the ranges of a build, and the one that watches them. */
final class Crew {
  private static final long POLL_MILLIS = 200;
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final int threads;
  private final Member member;
  private final Check check;
  private final ProgressListener progress;

  /** What each thread does. */
  interface Member {
    /** Takes ranges while there are any, and finishes them. */
    void run(Queue<KeyRange> left) throws IOException;
  }

  /** Throws if the work is of no use any more. */
  interface Check {
    void run() throws IOException;
  }

  /**
   * @param check made now and then
   */
  Crew(int threads, Member member, Check check, ProgressListener progress) {
    this.threads = threads;
    this.member = member;
    this.check = check;
    this.progress = progress;
  }

  /** Finishes those that are not done; throws what the first of them fails with. */
  void run(List<KeyRange> ranges, Effort effort) throws IOException {
    Queue<KeyRange> left = new ConcurrentLinkedQueue<>();
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
                  member.run(left);
                  return true;
                });
      }
      watch(finished, working, () -> report(done + effort.ranges(), ranges.size()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("stopped").initCause(e);
    } finally {
      left.clear();
      end(pool);
    }
  }

  private void report(int done, int total) {
    progress.progress("reading ranges of rows", done, total);
  }

  private void watch(CompletionService<Boolean> finished, int members, Runnable report)
      throws IOException, InterruptedException {
    int working = members;
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
          throw Failures.io(Failures.plain(e));
        }
      } else if (System.nanoTime() - checked > CHECK_NANOS) {
        check.run();
        checked = System.nanoTime();
      }
    }
    report.run();
  }

  /** Ends those that still work, and waits for that: they must not write after this. */
  private static void end(ExecutorService pool) {
    boolean interrupted = Thread.interrupted();
    do {
      pool.shutdownNow();
      try {
        pool.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    } while (!pool.isTerminated());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
