package io.deli.client.internal.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.deli.strategy.Index;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** Measures queries by value: of a connection, and by index, of those read last. Thread-safe. */
public final class ReadMeter {
  /** Indexes with metrics of their own: tables come and go, and a timer may take 100 KB. */
  private static final int INDEXES = 250;

  private final MetricRegistry registry;
  private final boolean on;
  private final Figures all;
  private final Counter failed;

  /** The one that was read last comes last. */
  private final Map<Key, Figures> byIndex = new LinkedHashMap<>(16, 0.75f, true);

  ReadMeter(MetricRegistry registry, boolean on) {
    this.registry = registry;
    this.on = on;
    this.all = new Figures();
    all.published.forEach(registry::register);
    this.failed = registry.counter("queriesFailed");
  }

  private record Key(TableName table, String index) {
    String name(String metric) {
      return ClientMetrics.name(metric, table.getNameAsString(), index);
    }
  }

  /** The metrics of all queries, or of one index. */
  private static final class Figures {
    private final Timer queries = new Timer();
    private final Counter entries = new Counter();
    private final Counter stale = new Counter();

    private final Map<String, Metric> published =
        Map.of(
            "query", queries,
            "entriesRead", entries,
            "entriesStale", stale,
            "staleRatio", (Gauge<Double>) this::staleRatio);

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

  private synchronized Figures of(Index index) {
    Figures figures =
        byIndex.computeIfAbsent(new Key(index.baseTable(), index.name()), this::publish);
    if (byIndex.size() > INDEXES) {
      withdraw(byIndex.keySet().iterator().next());
    }
    return figures;
  }

  private Figures publish(Key key) {
    Figures figures = new Figures();
    figures.published.forEach((metric, value) -> registry.register(key.name(metric), value));
    return figures;
  }

  private void withdraw(Key key) {
    byIndex.remove(key).published.keySet().forEach(metric -> registry.remove(key.name(metric)));
  }
}
