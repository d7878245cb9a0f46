package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * How far a write that a region admits may lie behind its server's clock, in milliseconds.
 *
 * @param drawn of a timestamp that was drawn for it; who draws can draw anew
 * @param begun of its beginning, if its timestamps are the application's
 */
public record WriteAges(long drawn, long begun) {
  /** However short the settings: what a client has for a write at least. */
  private static final long LEAST_MILLIS = 1_000;

  /**
   * Returns the ages by settings.
   *
   * @param graceMillis after which repair takes an entry without version for garbage: what is left
   *     of it is for what was admitted until readers see it
   * @param marginMillis by which a query that has begun looks back for entries that came behind it:
   *     what is left of it is for clocks that differ
   */
  public static WriteAges of(long graceMillis, long marginMillis) {
    long begun = Math.max(LEAST_MILLIS, graceMillis - graceMillis / 4);
    return new WriteAges(Math.min(begun, Math.max(LEAST_MILLIS, marginMillis / 2)), begun);
  }

  static WriteAges of(Configuration configuration, Consumer<String> problems) {
    return of(
        DeliSettings.REPAIR_GRACE.get(configuration, problems),
        DeliSettings.READ_SKEW.get(configuration, problems));
  }
}
