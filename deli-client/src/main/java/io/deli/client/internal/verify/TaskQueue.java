package io.deli.client.internal.verify;

import io.deli.client.internal.Futures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs tasks in several threads, and settles them in the order in which they came. Closing it
 * interrupts those under way. Not thread-safe.
 */
final class TaskQueue implements AutoCloseable {
  /** Time between two runs of what is run while tasks are waited for. */
  private static final Duration WAITED = Duration.ofSeconds(1);

  private final int threads;
  private final ExecutorService pool;
  private final Queue<Running> running = new ArrayDeque<>();

  TaskQueue(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** A task, run in another thread. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  private record Running(CompletableFuture<Void> task, Runnable then) {}

  /**
   * @param then run by the caller of {@code settle}, once this task and those before it are done
   */
  void submit(Task task, Runnable then) {
    running.add(new Running(CompletableFuture.runAsync(() -> run(task), pool), then));
  }

  private static void run(Task task) {
    try {
      task.run();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  /**
   * Settles what is done, and waits until each thread has one task at most.
   *
   * @param waiting run now and then while it waits
   */
  void settle(Runnable waiting) throws IOException {
    settle(threads, waiting);
  }

  /** Waits for all tasks. */
  void settleAll(Runnable waiting) throws IOException {
    settle(0, waiting);
  }

  private void settle(int left, Runnable waiting) throws IOException {
    while (running.size() > left || (!running.isEmpty() && running.element().task.isDone())) {
      Running first = running.remove();
      while (!Futures.awaitEnd(first.task, WAITED)) {
        waiting.run();
      }
      Futures.await(first.task);
      first.then.run();
    }
  }

  @Override
  public void close() {
    Futures.end(pool);
  }
}
