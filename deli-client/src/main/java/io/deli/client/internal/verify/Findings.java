package io.deli.client.internal.verify;

import io.deli.client.Finding;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the findings of each kind and keeps the first ones. Not thread-safe. */
final class Findings {
  private final int samples;
  private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
  private final List<Finding> first = new ArrayList<>();
  private long versions;
  private long entries;
  private long written;
  private long reported;

  Findings(int samples) {
    this.samples = samples;
  }

  void add(Finding finding) {
    if (counts.merge(finding.kind(), 1L, Long::sum) <= samples) {
      first.add(finding);
    }
  }

  void comparedVersion() {
    versions++;
  }

  void comparedEntry() {
    entries++;
  }

  void written(long more) {
    written += more;
  }

  void reported(long more) {
    reported += more;
  }

  /** Returns the number of versions and entries compared. */
  long compared() {
    return versions + entries;
  }

  VerifyReport report(Optional<VerifyPosition> position) {
    return new VerifyReport(versions, entries, counts, first, written, reported, position);
  }
}
