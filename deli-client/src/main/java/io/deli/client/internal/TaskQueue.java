package io.deli.client.internal;

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
public final class TaskQueue implements AutoCloseable {
  /** Time between two runs of what is run while tasks are waited for. */
  private static final Duration WAITED = Duration.ofSeconds(1);

  private final int threads;
  private final ExecutorService pool;
  private final Queue<Running> running = new ArrayDeque<>();

  public TaskQueue(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** A task of its own, or what is run while others are waited for. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  private record Running(CompletableFuture<Void> task, Runnable then) {}

  /**
   * Has a task run as soon as a thread is free.
   *
   * @param then run by the caller of {@code settle}, once this task and those before it are done
   */
  public void submit(Task task, Runnable then) {
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
  public void settle(Task waiting) throws IOException {
    settle(threads, waiting);
  }

  /** Waits for all tasks. */
  public void settleAll(Task waiting) throws IOException {
    settle(0, waiting);
  }

  private void settle(int left, Task waiting) throws IOException {
    while (running.size() > left || (!running.isEmpty() && running.element().task.isDone())) {
      Running first = running.remove();
      while (!Futures.awaitEnd(first.task, WAITED)) {
        waiting.run();
      }
      Futures.await(first.task);
      first.then.run();
    }
  }

  /** Throws the failure of a task that is not settled yet, if one has failed. */
  public void throwFailure() throws IOException {
    for (Running each : running) {
      if (each.task.isCompletedExceptionally()) {
        Futures.await(each.task);
      }
    }
  }

  @Override
  public void close() {
    Futures.end(pool);
  }
}
