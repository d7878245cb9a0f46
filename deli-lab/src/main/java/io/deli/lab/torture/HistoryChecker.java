package io.deli.lab.torture;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.fault.Outages;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.History.Read;
import io.deli.lab.torture.History.Sighting;
import io.deli.lab.torture.History.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether each answer to a read is explained by some order of the writes that overlap it,
 * and whether each write that was acknowledged was applied.
 *
 * <p>Judged is each version by itself, as HBase promises no more than single rows: a version that
 * was returned must have been there at some moment of the read; one that was there at all of them
 * must have been returned. A write that failed may or may not have taken effect. But once one read
 * has returned it, by key or by value, all later reads must. Reads that a {@link StaleReadWindow}
 * may have answered may show what that server knew.
 *
 * <p>Supposed is that deletes of exact versions do not occur and that delete markers stay, so that
 * what a row shows does not depend on when it was compacted.
 */
final class HistoryChecker {
  private static final int TOLD = 20;

  private final Map<String, RowHistory> rows = new TreeMap<>();
  private final History history;
  private final List<Read> reads;

  /**
   * @param versions that the table keeps of a row
   */
  HistoryChecker(History history, Outages.State outages, int versions) {
    this.history = history;
    reads =
        history.reads().stream().map(read -> read.during(outages.explaining(read.span()))).toList();
    Map<Sighting, Long> seen = new HashMap<>();
    for (Read read : reads) {
      read.answer().forEach(version -> seen.merge(version, read.span().ended(), Math::min));
    }
    history.writes().stream()
        .collect(Collectors.groupingBy(History.Write::row))
        .forEach((row, writes) -> rows.put(row, new RowHistory(writes, seen, versions)));
  }

  /**
   * The writes that were lost and the answers that cannot be explained, the earliest first, and no
   * more than a person can look at.
   */
  List<String> violations() {
    return Stream.concat(
            history.lost().stream()
                .map(write -> "acknowledged, never applied: %s %s".formatted(write.row(), write)),
            reads.stream()
                .sorted(Comparator.comparingLong(read -> read.span().begun()))
                .flatMap(read -> violations(read).stream()))
        .limit(TOLD)
        .toList();
  }

  private List<String> violations(Read read) {
    List<String> found = new ArrayList<>();
    Set<Sighting> answer = new HashSet<>();
    for (Sighting version : read.answer()) {
      if (!answer.add(version)) {
        found.add(violation(read, "returned twice", version));
      }
      RowHistory row = rows.get(version.row());
      if (row == null || !row.maySee(version, read.span(), read.versions())) {
        found.add(violation(read, "returned, though it was not there,", version));
      }
    }
    rows.forEach(
        (name, row) -> {
          if (read.rows().test(name)) {
            for (Sighting version : row.mustSee(read.span(), read.versions())) {
              if (read.values().test(version.value()) && !answer.contains(version)) {
                found.add(violation(read, "missed", version));
              }
            }
          }
        });
    return found;
  }

  private String violation(Read read, String what, Sighting version) {
    RowHistory row = rows.get(version.row());
    return "%s [%d, %d], amid %s, %s %s; written by %s, hidden by %s"
        .formatted(
            read.question(),
            read.span().begun(),
            read.span().ended(),
            history.faults(read.span()),
            what,
            version,
            row == null ? List.of() : row.puts(version.timestamp()),
            row == null ? List.of() : row.hiding(version, read.span()));
  }

  /**
   * The writes to one row, and which of them a read must, may or cannot see.
   *
   * <p>A write has surely taken effect once it was acknowledged, and also once a read has returned
   * it. It may take effect from its begin on. The versions that are seen depend on the set of
   * writes alone, not on their order: the newest by timestamp that no delete covers.
   */
  private static final class RowHistory {
    private final Map<Long, List<Write>> puts;
    private final Map<Write, Long> effect = new HashMap<>();

    /** By instant, what there is after the writes that had surely, or possibly, taken effect. */
    private final NavigableMap<Long, State> sure;

    private final NavigableMap<Long, State> possible;

    /** The greatest timestamp of deletes, and the kept ones of Puts, descending. */
    private record State(long deletedTo, List<Long> newest) {
      private static final State EMPTY = new State(Long.MIN_VALUE, List.of());

      private State with(Write write, int versions) {
        return write.isPut()
            ? new State(
                deletedTo,
                Stream.concat(newest.stream(), Stream.of(write.timestamp()))
                    .distinct()
                    .sorted(Comparator.reverseOrder())
                    .limit(versions)
                    .toList())
            : new State(Math.max(deletedTo, write.timestamp()), newest);
      }

      /** Whether a version is deleted, or beyond the newest that are kept. */
      private boolean hides(long timestamp, int versions) {
        return timestamp <= deletedTo
            || newest.stream().filter(other -> other > timestamp).count() >= versions;
      }
    }

    /**
     * @param seen when a version was returned first
     * @param versions kept of a row
     */
    RowHistory(List<Write> writes, Map<Sighting, Long> seen, int versions) {
      puts = writes.stream().filter(Write::isPut).collect(Collectors.groupingBy(Write::timestamp));
      for (Write write : writes) {
        effect.put(write, Math.min(write.span().ended(), seen(write, seen)));
      }
      sure = timeline(writes, effect::get, versions);
      possible = timeline(writes, write -> write.span().begun(), versions);
    }

    private long seen(Write write, Map<Sighting, Long> seen) {
      // Of several Puts of one version, a read does not tell which it saw.
      return write.isPut() && puts.get(write.timestamp()).size() == 1
          ? seen.getOrDefault(write.version(), Span.NEVER)
          : Span.NEVER;
    }

    private static NavigableMap<Long, State> timeline(
        List<Write> writes, ToLongFunction<Write> instant, int versions) {
      NavigableMap<Long, State> states = new TreeMap<>(Map.of(Long.MIN_VALUE, State.EMPTY));
      writes.stream()
          .filter(write -> instant.applyAsLong(write) != Span.NEVER)
          .sorted(Comparator.comparingLong(instant))
          .forEach(
              write -> {
                State before = states.lastEntry().getValue();
                states.put(instant.applyAsLong(write), before.with(write, versions));
              });
      return states;
    }

    private static State before(NavigableMap<Long, State> timeline, long instant) {
      return timeline.lowerEntry(instant).getValue();
    }

    /** Whether some order of the writes lets a read see the version. */
    boolean maySee(Sighting version, Span read, int versions) {
      List<Write> rivals = puts(version.timestamp());
      return !before(sure, read.begun()).hides(version.timestamp(), versions)
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
      State most = before(possible, read.ended());
      return before(sure, read.begun()).newest().stream()
          .filter(timestamp -> !most.hides(timestamp, versions))
          .flatMap(timestamp -> puts.get(timestamp).stream())
          .filter(put -> effect.get(put) < read.begun())
          .filter(put -> puts.get(put.timestamp()).stream().noneMatch(o -> mayBeat(o, put, read)))
          .map(Write::version)
          .distinct()
          .toList();
    }

    private static boolean mayBeat(Write other, Write put, Span read) {
      return !other.value().equals(put.value())
          && other.span().begun() < read.ended()
          && !other.span().isBefore(put.span());
    }

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
}
