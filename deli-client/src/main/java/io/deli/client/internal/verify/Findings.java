package io.deli.client.internal.verify;

import io.deli.client.Finding;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts the findings of each kind and keeps the first ones. Thread-safe. */
final class Findings {
  private final int samples;
  private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
  private final List<Finding> first = new ArrayList<>();
  private final LongAdder versions = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder written = new LongAdder();
  private final LongAdder reported = new LongAdder();

  Findings(int samples) {
    this.samples = samples;
  }

  synchronized void add(Finding finding) {
    if (counts.merge(finding.kind(), 1L, Long::sum) <= samples) {
      first.add(finding);
    }
  }

  /** Adds what a part of the verification found. */
  synchronized void add(VerifyReport part) {
    for (Finding sample : part.samples()) {
      if (first.stream().filter(each -> each.kind() == sample.kind()).count() < samples) {
        first.add(sample);
      }
    }
    part.found().forEach((kind, more) -> counts.merge(kind, more, Long::sum));
    versions.add(part.versions());
    entries.add(part.entries());
    written(part.written());
    reported(part.reported());
  }

  void comparedVersion() {
    versions.increment();
  }

  void comparedEntry() {
    entries.increment();
  }

  void written(long more) {
    written.add(more);
  }

  void reported(long more) {
    reported.add(more);
  }

  /** Returns the number of versions and entries compared. */
  long compared() {
    return versions.sum() + entries.sum();
  }

  synchronized VerifyReport report(Optional<VerifyPosition> position) {
    return new VerifyReport(
        versions.sum(), entries.sum(), counts, first, written.sum(), reported.sum(), position);
  }
}
