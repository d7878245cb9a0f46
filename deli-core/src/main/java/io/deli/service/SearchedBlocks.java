package io.deli.service;

import java.lang.reflect.Method;
import java.util.Map;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;

/**
 * The blocks of files that region servers searched for what a {@link TokenScan} asks, and those
 * that indexes of the files left out.
 *
 * <p>It travels in HBase's own metrics of the scan, if the client asks for these. HBase sends them
 * by their names, whatever they are, but both sides pass over a name that they have no counter for,
 * and only subclasses may make one; so it is made by reflection. Where that fails, nothing is
 * counted.
 */
public record SearchedBlocks(long read, long skipped) {
  private static final String READ = "DELI_BLOCKS_READ";
  private static final String SKIPPED = "DELI_BLOCKS_SKIPPED";

  /** Adds them to the metrics of a scan. */
  public void addTo(ServerSideScanMetrics metrics) {
    expectIn(metrics);
    metrics.addToCounter(READ, read);
    metrics.addToCounter(SKIPPED, skipped);
  }

  /**
   * Registers the counters in the metrics of a scan, so that values from region servers are kept.
   */
  public static void expectIn(ServerSideScanMetrics metrics) {
    try {
      Method create = ServerSideScanMetrics.class.getDeclaredMethod("createCounter", String.class);
      create.setAccessible(true);
      for (String name : new String[] {READ, SKIPPED}) {
        if (!metrics.hasCounter(name)) {
          create.invoke(metrics, name);
        }
      }
    } catch (ReflectiveOperationException e) {
      // This HBase has metrics of another kind; a scan is not to fail for that.
    }
  }

  /** Reads the counters from {@code getMetricsMap}; zero where they are missing. */
  public static SearchedBlocks of(Map<String, Long> metrics) {
    return new SearchedBlocks(metrics.getOrDefault(READ, 0L), metrics.getOrDefault(SKIPPED, 0L));
  }
}
