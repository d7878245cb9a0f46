package io.deli.coprocessor.internal.compactiontrigger;

import io.deli.config.DeliSettings;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.compactions.OffPeakHours;

/**
 * The settings of the compaction trigger of a store.
 *
 * @param ratio share of garbage above which a compaction is requested; 0 if never
 * @param intervalMillis after a compaction of all files, or a request for one
 * @param hours to which HBase would leave large compactions
 */
public record TriggerSettings(double ratio, long intervalMillis, OffPeakHours hours) {

  /**
   * Reads them; a table's own values come first. What is malformed falls back to its default.
   *
   * @param problems is told what is malformed
   */
  public static TriggerSettings of(Configuration store, Consumer<String> problems) {
    double ratio = DeliSettings.GC_GARBAGE.get(store, problems);
    return new TriggerSettings(
        ratio,
        DeliSettings.GC_GARBAGE_INTERVAL.get(store, problems),
        // It complains of malformed hours each time.
        ratio > 0 ? OffPeakHours.getInstance(store) : OffPeakHours.DISABLED);
  }

  /** Whether the store's garbage is estimated. */
  public boolean isOn() {
    return ratio > 0;
  }

  /** Whether it is one of the hours; always, if there are none. */
  boolean isTheHour() {
    return hours.equals(OffPeakHours.DISABLED) || hours.isOffPeakHour();
  }
}
