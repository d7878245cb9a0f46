package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import io.deli.lab.torture.Read.Sighting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The writes to one row, and which of them a read must, may or cannot see.
 *
 * <p>A write has surely taken effect once it was acknowledged, and also once a read has returned
 * it. It may take effect from its begin on.
 */
final class RowHistory {
  private final Map<Long, List<Write>> puts;
  private final Map<Write, Long> effect = new HashMap<>();
  private final Timeline sure;
  private final Timeline possible;

  /**
   * @param seen when a version was returned first
   * @param versions kept of a row
   */
  RowHistory(List<Write> writes, Map<Sighting, Long> seen, int versions) {
    puts = writes.stream().filter(Write::isPut).collect(Collectors.groupingBy(Write::timestamp));
    for (Write write : writes) {
      effect.put(write, Math.min(write.span().ended(), seen(write, seen)));
    }
    sure = Timeline.of(writes, effect::get, versions);
    possible = Timeline.of(writes, write -> write.span().begun(), versions);
  }

  private long seen(Write write, Map<Sighting, Long> seen) {
    // Of several Puts of one version, a read does not tell which it saw.
    return write.isPut() && puts.get(write.timestamp()).size() == 1
        ? seen.getOrDefault(
            new Sighting(write.row(), write.value().orElseThrow(), write.timestamp()), Span.NEVER)
        : Span.NEVER;
  }

  /** Whether some order of the writes lets a read see the version. */
  boolean maySee(Sighting version, Span read, int versions) {
    List<Write> rivals = puts.getOrDefault(version.timestamp(), List.of());
    return !sure.before(read.begun()).hides(version.timestamp(), versions)
        && rivals.stream()
            .filter(put -> put.made(version) && put.span().begun() < read.ended())
            .anyMatch(put -> rivals.stream().noneMatch(other -> surelyBeats(other, put, read)));
  }

  /** With equal timestamps the later write wins. */
  private boolean surelyBeats(Write other, Write put, Span read) {
    return !other.value().equals(put.value())
        && put.span().isBefore(other.span())
        && effect.get(other) < read.begun();
  }

  /** The versions that every order of the writes lets a read see. */
  List<Sighting> mustSee(Span read, int versions) {
    Timeline.State most = possible.before(read.ended());
    return sure.before(read.begun()).newest().stream()
        .filter(timestamp -> !most.hides(timestamp, versions))
        .flatMap(timestamp -> puts.get(timestamp).stream())
        .filter(put -> effect.get(put) < read.begun())
        .filter(put -> puts.get(put.timestamp()).stream().noneMatch(o -> mayBeat(o, put, read)))
        .map(put -> new Sighting(put.row(), put.value().orElseThrow(), put.timestamp()))
        .distinct()
        .toList();
  }

  private static boolean mayBeat(Write other, Write put, Span read) {
    return !other.value().equals(put.value())
        && other.span().begun() < read.ended()
        && !other.span().isBefore(put.span());
  }

  /** The Puts with a timestamp. */
  List<Write> puts(long timestamp) {
    return puts.getOrDefault(timestamp, List.of());
  }

  /** The writes that had surely taken effect before a read, and count against a version. */
  List<Write> hiding(Sighting version, Span read) {
    return effect.keySet().stream()
        .filter(write -> write.timestamp() >= version.timestamp() && !write.made(version))
        .filter(write -> effect.get(write) < read.begun())
        .toList();
  }
}
