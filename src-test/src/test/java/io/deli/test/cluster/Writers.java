package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Threads that write through one connection until they are stopped, and remember what was
 * acknowledged: each overwrites a few rows of its own and adds rows that are never overwritten.
 */
final class Writers implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int HOT_ROWS = 5;
  private static final int STOP_SECONDS = 180;

  private final IndexedRows rows;
  private final Connection connection;
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final List<Future<?>> threads = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Map<String, String> added = new ConcurrentHashMap<>();
  private final Map<String, String> overwritten = new ConcurrentHashMap<>();

  /** What was written to a row since its last acknowledged value, and failed. */
  private final Map<String, Set<String>> doubtful = new ConcurrentHashMap<>();

  private volatile boolean stopped;

  private Writers(IndexedRows rows) throws IOException {
    this.rows = rows;
    this.connection = rows.connect();
  }

  static Writers start(IndexedRows rows) throws IOException {
    Writers writers = new Writers(rows);
    for (int thread = 0; thread < THREADS; thread++) {
      String name = "w" + thread;
      writers.threads.add(writers.pool.submit(() -> writers.write(name)));
    }
    return writers;
  }

  private Void write(String name) throws IOException {
    try (Table table = connection.getTable(rows.name())) {
      for (int i = 0; !stopped; i++) {
        String hot = name + "-hot" + i % HOT_ROWS;
        String value = name + "-v" + i;
        String fresh = name + "-new" + i;
        List<Put> puts = new ArrayList<>(List.of(IndexedRows.put(hot, value)));
        if (i % 3 == 0) {
          puts.add(IndexedRows.put(fresh, value));
        }
        try {
          table.put(puts);
          overwritten.put(hot, value);
          doubtful.remove(hot);
          if (i % 3 == 0) {
            added.put(fresh, value);
          }
          acknowledged.incrementAndGet();
        } catch (IOException e) {
          doubtful.computeIfAbsent(hot, key -> ConcurrentHashMap.newKeySet()).add(value);
          if (doubtful.get(hot).size() > 1_000) {
            throw e;
          }
        }
      }
    }
    return null;
  }

  /** Waits until a good many more writes were acknowledged. */
  void awaitProgress() throws Exception {
    int before = acknowledged.get();
    Eventually.holdsElsewhere(
        () -> {
          requireAllAtWork();
          assertThat(acknowledged.get()).isGreaterThan(before + 100);
        });
  }

  private void requireAllAtWork() throws Exception {
    for (Future<?> thread : threads) {
      if (thread.isDone()) {
        thread.get();
      }
    }
  }

  void stop() throws Exception {
    stopped = true;
    for (Future<?> thread : threads) {
      thread.get(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Every acknowledged write is in the base table and found by its value. */
  void assertNothingLost() throws IOException {
    assertThat(added).isNotEmpty();
    Set<String> current = rows.current();
    added.forEach((row, value) -> assertThat(current).contains(row + "=" + value));
    overwritten.forEach(
        (row, value) -> {
          List<String> right = new ArrayList<>(List.of(row + "=" + value));
          doubtful.getOrDefault(row, Set.of()).forEach(v -> right.add(row + "=" + v));
          assertThat(current).containsAnyElementsOf(right);
        });
    assertThat(rows.findAll()).isEqualTo(current);
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    pool.shutdownNow();
    connection.close();
  }
}
