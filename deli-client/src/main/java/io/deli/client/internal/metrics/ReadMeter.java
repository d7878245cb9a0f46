package io.deli.client.internal.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.deli.strategy.Index;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;

/** Measures queries by value: of a connection, and by index as they are first read. Thread-safe. */
public final class ReadMeter {
  private final MetricRegistry registry;
  private final boolean on;
  private final Figures all;
  private final Counter failed;
  private final Map<Key, Figures> byIndex = new ConcurrentHashMap<>();

  ReadMeter(MetricRegistry registry, boolean on) {
    this.registry = registry;
    this.on = on;
    this.all = new Figures(registry, UnaryOperator.identity());
    this.failed = registry.counter("queriesFailed");
  }

  private record Key(TableName table, String index) {}

  /** The metrics of all queries, or of one index. */
  private static final class Figures {
    private final Timer queries;
    private final Counter entries;
    private final Counter stale;

    Figures(MetricRegistry registry, UnaryOperator<String> name) {
      queries = registry.timer(name.apply("query"));
      entries = registry.counter(name.apply("entriesRead"));
      stale = registry.counter(name.apply("entriesStale"));
      registry.register(name.apply("staleRatio"), (Gauge<Double>) this::staleRatio);
    }

    private double staleRatio() {
      long read = entries.getCount();
      return read == 0 ? 0 : (double) stale.getCount() / read;
    }

    void read(int read, int found) {
      entries.inc(read);
      stale.inc(found);
    }
  }

  /** Whether metrics are enabled. */
  public boolean isOn() {
    return on;
  }

  /** Counts verified entries of an index, and how many of them were stale. */
  public void read(Index index, int entries, int stale) {
    if (on) {
      all.read(entries, stale);
      of(index).read(entries, stale);
    }
  }

  /** Records the time of a query that ended. */
  public void answered(Set<Index> indexes, long nanos) {
    if (on) {
      all.queries.update(nanos, TimeUnit.NANOSECONDS);
      indexes.forEach(index -> of(index).queries.update(nanos, TimeUnit.NANOSECONDS));
    }
  }

  public void failed() {
    if (on) {
      failed.inc();
    }
  }

  private Figures of(Index index) {
    return byIndex.computeIfAbsent(
        new Key(index.baseTable(), index.name()),
        key ->
            new Figures(
                registry,
                metric -> ClientMetrics.name(metric, key.table.getNameAsString(), key.index)));
  }
}
