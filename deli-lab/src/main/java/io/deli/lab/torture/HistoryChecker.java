package io.deli.lab.torture;

import io.deli.lab.fault.Fault.StaleReadWindow;
import io.deli.lab.fault.Outages;
import io.deli.lab.torture.History.Read;
import io.deli.lab.torture.History.Sighting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Decides whether each answer to a read is explained by some order of the writes that overlap it.
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
   * The answers that cannot be explained, the earliest first, and no more than a person can look
   * at.
   */
  List<String> violations() {
    return reads.stream()
        .sorted(Comparator.comparingLong(read -> read.span().begun()))
        .flatMap(read -> violations(read).stream())
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
}
