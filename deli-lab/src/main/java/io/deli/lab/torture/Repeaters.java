package io.deli.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Threads that each repeat a step until they are to end, or one of them throws. */
public final class Repeaters implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean over;

  /** One call; returns whether it was answered. */
  @FunctionalInterface
  public interface Step {
    boolean run() throws Exception;
  }

  /** Starts a thread, which counts its steps and pauses after each. */
  public void start(Step step, long pauseMillis, LongAdder answered, LongAdder failed) {
    running.add(
        threads.submit(
            () -> {
              while (!over) {
                (step.run() ? answered : failed).increment();
                Thread.sleep(pauseMillis);
              }
              return null;
            }));
  }

  /** Throws what one of the threads has thrown. */
  public void check() throws InterruptedException, ExecutionException {
    for (Future<?> thread : running) {
      if (thread.isDone()) {
        thread.get();
      }
    }
  }

  /** Waits until each thread has ended its step. */
  public void end() throws InterruptedException, ExecutionException {
    over = true;
    for (Future<?> thread : running) {
      thread.get();
    }
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
