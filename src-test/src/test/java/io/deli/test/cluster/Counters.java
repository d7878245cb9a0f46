package io.deli.test.cluster;

import java.util.stream.Stream;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;

/** What the region servers of the test's cluster have counted. */
public final class Counters {
  private Counters() {}

  /** Begins what is waited for. */
  @FunctionalInterface
  public interface Starter {
    void run() throws Exception;
  }

  /** Starts a compaction and waits until deletes are sent. */
  public static void awaitFlying(Starter start) throws Exception {
    long before = value("deleteRequests");
    start.run();
    MiniCluster.utility().waitFor(30_000, 20, () -> value("deleteRequests") > before);
  }

  public static long value(String name) {
    return metrics(name).mapToLong(metric -> ((Counter) metric).getCount()).sum();
  }

  /** What the region servers of the test's cluster show now. */
  public static double gauge(String name) {
    return metrics(name)
        .mapToDouble(metric -> ((Number) ((Gauge<?>) metric).getValue()).doubleValue())
        .max()
        .orElseThrow();
  }

  private static Stream<Metric> metrics(String name) {
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(r -> r.getMetricRegistryInfo().getMetricsName().contains("DeliRegionObserver"))
        .flatMap(r -> r.get(name).stream());
  }
}
