package io.deli.coprocessor.internal.collect;

import io.deli.config.DeliSettings;
import io.deli.config.GcMode;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of a store's garbage collection.
 *
 * @param mode when
 * @param windowBytes of base cells whose deletes go together
 * @param windows under way at a time
 * @param timeoutMillis for the deletes of a window
 */
public record GcSettings(GcMode mode, long windowBytes, int windows, long timeoutMillis) {

  /**
   * Reads them; a table's own values come first. What is malformed falls back to its default, since
   * a region must open and compact whatever it is told.
   *
   * @param problems is told what is malformed
   */
  public static GcSettings of(Configuration store, Consumer<String> problems) {
    return new GcSettings(
        DeliSettings.GC_MODE.get(store, problems),
        DeliSettings.GC_WINDOW.get(store, problems),
        DeliSettings.GC_WINDOWS.get(store, problems),
        DeliSettings.GC_TIMEOUT.get(store, problems));
  }
}
