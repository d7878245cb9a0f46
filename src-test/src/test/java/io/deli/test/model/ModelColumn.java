package io.deli.test.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * A column of one row: its puts and delete markers since the last major compaction. Of several puts
 * at one timestamp the last is seen.
 *
 * <p><b>Doubt.</b> What has {@code VERSIONS} or more newer puts beside it may be dropped whenever
 * HBase flushes or compacts: a put, but a delete marker of the column as well, for HBase's scanner
 * leaves a column when it has its fill. (Markers of the whole family come before all columns and
 * stay.) It may count again later: a time range that leaves out the newer puts shows the old one,
 * and so does an exact delete of a newer put; and where a marker is gone, what it hid shows in the
 * files that were not compacted along, while in those that were it is gone like the marker. What is
 * seen then depends on when HBase flushed. And when the last of several puts at one timestamp is
 * dropped, one before it may still be there. Such puts and markers are <em>doubtful</em>, and an
 * answer that depends on them is <em>in doubt</em> until {@link #settle} learns from the base table
 * what is there. Exact markers do not lessen the count of newer puts: a compaction of some files
 * may meet these without the markers.
 */
final class ModelColumn {
  private final int retained;
  private final Markers family;
  private final Markers own = new Markers();

  /** Newest first, and the puts at one timestamp, the last first. */
  private final NavigableMap<Long, List<Version>> versions =
      new TreeMap<>(Comparator.reverseOrder());

  /** What HBase was seen to have dropped, the last first; all of it was doubtful. */
  private final Deque<Version> gone = new ArrayDeque<>();

  private final Markers goneMarkers = new Markers();

  /** What is seen again, for HBase dropped the marker that hid it. */
  private final Set<Long> revived = new HashSet<>();

  ModelColumn(int retained, Markers family) {
    this.retained = retained;
    this.family = family;
  }

  void put(long timestamp, byte[] value) {
    List<Version> there = new ArrayList<>(versions.getOrDefault(timestamp, List.of()));
    there.replaceAll(Version::doubted);
    there.add(0, Version.of(timestamp, value));
    versions.put(timestamp, there);
    revived.remove(timestamp);
    doubtSurplus();
  }

  void hideUpTo(long timestamp) {
    own.hideUpTo(timestamp);
    doubtSurplus();
  }

  void hideExactly(long timestamp) {
    own.hideExactly(timestamp);
    doubtSurplus();
  }

  private void doubtSurplus() {
    doubt(this::isSurplus);
    own.doubt(this::isSurplus);
  }

  private boolean isSurplus(long timestamp) {
    return versions.headMap(timestamp, false).size() >= retained;
  }

  private void doubt(LongPredicate timestamps) {
    versions.forEach(
        (timestamp, there) -> {
          if (timestamps.test(timestamp)) {
            there.replaceAll(Version::doubted);
          }
        });
  }

  /** What may be seen: timestamps with puts that nothing certain hides. */
  private List<Long> candidates(long end) {
    return versions.keySet().stream()
        .filter(timestamp -> timestamp < end)
        .filter(timestamp -> !family.hide(timestamp) && !own.certainlyHide(timestamp))
        .toList();
  }

  /** The newest versions before {@code end}, newest first. */
  List<Version> visible(long end, int most) {
    return candidates(end).stream()
        .filter(timestamp -> !own.hide(timestamp))
        .limit(Math.min(most, retained))
        .map(timestamp -> versions.get(timestamp).get(0))
        .toList();
  }

  /** Whether {@link #visible} depends on when HBase flushed. */
  boolean inDoubt(long end, int most) {
    return candidates(end).stream()
        .limit(Math.min(most, retained))
        .anyMatch(t -> own.hide(t) || versions.get(t).get(0).doubtful());
  }

  /**
   * Learns from HBase's answer what is there of the doubtful. A doubtful marker that should have
   * hidden what is seen is gone; so is, then, what only this marker hid and what is not seen.
   *
   * @return whether HBase could have answered so; if so, {@link #visible} now says the same
   */
  boolean settle(long end, int most, List<Version> answer) {
    List<Long> candidates = candidates(end);
    answer.stream().map(Version::timestamp).filter(candidates::contains).forEach(this::uncover);
    int wanted = Math.min(most, retained);
    List<Version> missing = new ArrayList<>();
    int found = 0;
    for (long timestamp : candidates) {
      if (found == wanted) {
        break;
      }
      if (own.hide(timestamp)) {
        continue;
      }
      List<Version> there = versions.get(timestamp);
      boolean seen = found < answer.size() && answer.get(found).timestamp() == timestamp;
      int unseen = seen ? there.indexOf(answer.get(found)) : there.size();
      if (unseen < 0 || !there.subList(0, unseen).stream().allMatch(Version::doubtful)) {
        return false;
      }
      missing.addAll(there.subList(0, unseen));
      found += seen ? 1 : 0;
    }
    if (found < answer.size()) {
      return false;
    }
    missing.forEach(this::remove);
    return true;
  }

  /** The first of those at its timestamp. */
  private void remove(Version version) {
    List<Version> there = versions.get(version.timestamp());
    gone.push(there.remove(0));
    if (there.isEmpty()) {
      versions.remove(version.timestamp());
    }
  }

  /** Forgets the markers that would hide what is seen; what they hid may be gone with them. */
  private void uncover(long seen) {
    Markers taken = own.takeThoseHiding(seen);
    doubt(taken::hide);
    if (taken.hide(seen)) {
      revived.add(seen);
    }
    goneMarkers.addAll(taken);
  }

  /**
   * Whether the version was hidden until HBase dropped the marker. An index that follows deletes
   * has no entry of it any more.
   */
  boolean isRevived(long timestamp) {
    return revived.contains(timestamp);
  }

  /**
   * The server died: what it had dropped in memory alone is there again, as the log has it, and as
   * doubtful as before.
   */
  void recover() {
    own.addAll(goneMarkers);
    goneMarkers.purge();
    while (!gone.isEmpty()) {
      Version version = gone.pop();
      versions.computeIfAbsent(version.timestamp(), t -> new ArrayList<>()).add(0, version);
    }
  }

  /** Flush and major compaction; must not be in doubt. The row purges the family's markers. */
  void compact() {
    List<Version> kept = visible(Long.MAX_VALUE, retained);
    versions.clear();
    own.purge();
    gone.clear();
    goneMarkers.purge();
    kept.forEach(version -> put(version.timestamp(), version.value()));
  }

  /** Timestamps of all puts, hidden ones included. */
  List<Long> timestamps() {
    return List.copyOf(versions.keySet());
  }

  @Override
  public String toString() {
    return "%s under %s and, in the family, %s".formatted(versions.values(), own, family);
  }
}
