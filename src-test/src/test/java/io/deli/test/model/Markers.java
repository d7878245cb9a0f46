package io.deli.test.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** The delete markers of one column, or of one family in one row. */
final class Markers {
  /**
   * A delete marker.
   *
   * @param exact whether it hides its own timestamp only, not all older ones
   * @param doubtful whether HBase may have dropped it
   */
  private record Marker(long timestamp, boolean exact, boolean doubtful) {
    boolean hides(long other) {
      return exact ? other == timestamp : other <= timestamp;
    }
  }

  private final List<Marker> markers = new ArrayList<>();

  void hideUpTo(long timestamp) {
    markers.add(new Marker(timestamp, false, false));
  }

  void hideExactly(long timestamp) {
    markers.add(new Marker(timestamp, true, false));
  }

  boolean hide(long timestamp) {
    return markers.stream().anyMatch(marker -> marker.hides(timestamp));
  }

  /** Whether a marker that is certainly there hides the timestamp. */
  boolean certainlyHide(long timestamp) {
    return markers.stream().anyMatch(marker -> !marker.doubtful && marker.hides(timestamp));
  }

  /** Doubts the markers of these timestamps. */
  void doubt(LongPredicate timestamps) {
    markers.replaceAll(
        m -> timestamps.test(m.timestamp) ? new Marker(m.timestamp, m.exact, true) : m);
  }

  /** Removes the markers that hide the timestamp, and returns them. */
  Markers takeThoseHiding(long timestamp) {
    Markers taken = new Markers();
    markers.stream().filter(marker -> marker.hides(timestamp)).forEach(taken.markers::add);
    markers.removeAll(taken.markers);
    return taken;
  }

  void addAll(Markers others) {
    markers.addAll(others.markers);
  }

  void purge() {
    markers.clear();
  }

  @Override
  public String toString() {
    return markers.toString();
  }
}
