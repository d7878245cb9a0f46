package io.deli.coprocessor.internal.collect;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * How a store is collected.
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
    String name = DeliSettings.GC_MODE.get(store);
    GcMode mode =
        GcMode.named(name)
            .orElseGet(
                () -> {
                  problems.accept(
                      "%s = '%s' is no mode of garbage collection: use streaming, before, staged or off; taking streaming"
                          .formatted(DeliSettings.GC_MODE.key(), name));
                  return GcMode.STREAMING;
                });
    return new GcSettings(
        mode,
        read(DeliSettings.GC_WINDOW, store, problems),
        read(DeliSettings.GC_WINDOWS, store, problems),
        read(DeliSettings.GC_TIMEOUT, store, problems));
  }

  private static <T> T read(Setting<T> setting, Configuration store, Consumer<String> problems) {
    try {
      return setting.get(store);
    } catch (IllegalArgumentException e) {
      problems.accept(e.getMessage() + "; taking " + setting.fallback());
      return setting.fallback();
    }
  }
}
