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

  private interface Outcome<T> {
    void note(long nanos, T answer, Throwable error);
  }

  private <T> CompletableFuture<T> measured(
      Supplier<CompletableFuture<T>> write, Outcome<T> outcome) {
    if (!on) {
      return write.get();
    }
    long begun = System.nanoTime();
    return write
        .get()
        .whenComplete((answer, error) -> outcome.note(System.nanoTime() - begun, answer, error));
  }

  /** Measures one operation. */
  public CompletableFuture<Object> single(
      Row operation, Supplier<CompletableFuture<Object>> write) {
    return measured(
        write,
        (nanos, answer, error) -> answered(Kind.of(operation), nanos, 1, error == null ? 0 : 1));
  }

  /** Measures operations that are carried out together; answers tell which of them failed. */
  public CompletableFuture<Object[]> batch(int size, Supplier<CompletableFuture<Object[]>> write) {
    return measured(
        write,
        (nanos, answers, error) ->
            answered(
                Kind.BATCH,
                nanos,
                size,
                error == null
                    ? Arrays.stream(answers).filter(Throwable.class::isInstance).count()
                    : size));
  }

  private void answered(Kind kind, long nanos, int size, long failures) {
    times.get(kind).update(nanos, TimeUnit.NANOSECONDS);
    operations.inc(size);
    failed.inc(failures);
  }

  /** Times the writing of entries. */
  public <T> CompletableFuture<T> entries(Supplier<CompletableFuture<T>> write) {
    return measured(write, (nanos, done, error) -> entries.update(nanos, TimeUnit.NANOSECONDS));
  }

  /** Counts a write whose entries are written again. */
  public void late() {
    if (on) {
      late.inc();
    }
  }
}
