package io.deli.test.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Random histories of operations through {@code DeliTable}, every answer of which is compared with
 * a model of HBase in memory.
 *
 * <p>Two histories of 5,000 operations by default, each on tables of its own and by connections of
 * its own, in threads side by side. The first has the seed that is printed, the other the one after
 * it. Of an odd seed, the indexes are salted. {@code -Ddeli.seed=N} replays a seed, {@code
 * -Ddeli.seed=random} draws one, {@code -Ddeli.operations=N} sets how many operations there are in
 * all, {@code -Ddeli.histories=N} among how many histories they are divided.
 *
 * <p>In a history there is one client, one thread, a clock of the test's own: a seed and a length
 * decide it, but for what goes on in the background: memory compactions, read repair, the taking
 * back of entries of conditional writes that did not hold.
 *
 * <p>See {@link Reads} for where a scan of the base table, not the model, tells what is right.
 */
class ModelTest {
  private static final String DEFAULT_SEED = "20240229";
  private static final int OPERATIONS = 5_000;
  private static final int HISTORIES = 2;

  @Test
  void answersAsTheModelDoes() throws Exception {
    String wanted = System.getProperty("deli.seed", DEFAULT_SEED);
    long seed = wanted.equals("random") ? new Random().nextInt() : Long.parseLong(wanted);
    int histories = Integer.getInteger("deli.histories", HISTORIES);
    int each = Integer.getInteger("deli.operations", OPERATIONS) / histories;
    System.out.printf(
        "model test: seed %d, %d histories of %d operations%n", seed, histories, each);
    ExecutorService pool = Executors.newFixedThreadPool(histories);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < histories; i++) {
        long own = seed + i;
        running.add(pool.submit(() -> run(own, each)));
      }
      awaitAll(running);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Void run(long seed, int operations) throws Exception {
    try (ModelRun run = new ModelRun(seed, operations, Schema.INDEXES, false)) {
      System.out.printf("model test: seed %d: %s%n", seed, run.run());
    }
    return null;
  }

  /** Lets each history come to its end, whatever the others found. */
  private static void awaitAll(List<Future<?>> running) throws InterruptedException {
    AssertionError failure = null;
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (ExecutionException e) {
        if (failure == null) {
          failure = new AssertionError(e.getCause().getMessage(), e.getCause());
        } else {
          failure.addSuppressed(e.getCause());
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
