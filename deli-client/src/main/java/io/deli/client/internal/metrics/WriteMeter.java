package io.deli.client.internal.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/** Measures writes to tables with indexes. Thread-safe. */
public final class WriteMeter {
  private final boolean on;
  private final Map<Kind, Timer> times = new EnumMap<>(Kind.class);
  private final Timer entries;
  private final Counter operations;
  private final Counter failed;
  private final Counter late;

  /** The kinds of operations with a timer of their own. */
  private enum Kind {
    PUT("put"),
    DELETE("delete"),
    CONDITIONAL("checkAndMutate"),
    ROW("mutateRow"),
    OTHER("other"),
    BATCH("batch");

    private final String metric;

    Kind(String metric) {
      this.metric = metric;
    }

    static Kind of(Row operation) {
      if (operation instanceof Put) {
        return PUT;
      }
      if (operation instanceof Delete) {
        return DELETE;
      }
      if (operation instanceof RowMutations) {
        return ROW;
      }
      return operation instanceof CheckAndMutate ? CONDITIONAL : OTHER;
    }
  }

  WriteMeter(MetricRegistry registry, boolean on) {
    this.on = on;
    for (Kind kind : Kind.values()) {
      times.put(kind, registry.timer(kind.metric));
    }
    this.entries = registry.timer("entries");
    this.operations = registry.counter("operations");
    this.failed = registry.counter("operationsFailed");
    this.late = registry.counter("lateWrites");
  }

  /** Measures one operation. */
  public CompletableFuture<Object> single(
      Row operation, Supplier<CompletableFuture<Object>> write) {
    if (!on) {
      return write.get();
    }
    long begun = System.nanoTime();
    return write
        .get()
        .whenComplete((answer, error) -> answered(Kind.of(operation), begun, 1, failures(error)));
  }

  /** Measures operations that are carried out together; answers tell which of them failed. */
  public CompletableFuture<Object[]> batch(int size, Supplier<CompletableFuture<Object[]>> write) {
    if (!on) {
      return write.get();
    }
    long begun = System.nanoTime();
    return write
        .get()
        .whenComplete(
            (answers, error) ->
                answered(
                    Kind.BATCH,
                    begun,
                    size,
                    error == null
                        ? Arrays.stream(answers).filter(Throwable.class::isInstance).count()
                        : size));
  }

  private static long failures(Throwable error) {
    return error == null ? 0 : 1;
  }

  private void answered(Kind kind, long begun, int size, long failures) {
    times.get(kind).update(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
    operations.inc(size);
    failed.inc(failures);
  }

  /** Times the writing of entries. */
  public <T> CompletableFuture<T> entries(Supplier<CompletableFuture<T>> write) {
    if (!on) {
      return write.get();
    }
    long begun = System.nanoTime();
    return write
        .get()
        .whenComplete(
            (done, error) -> entries.update(System.nanoTime() - begun, TimeUnit.NANOSECONDS));
  }

  /** Counts a write whose entries are written again. */
  public void late() {
    if (on) {
      late.inc();
    }
  }
}
