package io.deli.test.cluster;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.util.functional.CommonCallableSupplier;

/** Calls that are made on threads of their own, and may fail as others do. */
public final class Background {
  private Background() {}

  /** A call without a result. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  public static CompletableFuture<Void> run(Task task) {
    return call(
        () -> {
          task.run();
          return null;
        });
  }

  public static <T> CompletableFuture<T> call(Callable<T> call) {
    return CommonCallableSupplier.submit(
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          thread.start();
        },
        call);
  }
}
