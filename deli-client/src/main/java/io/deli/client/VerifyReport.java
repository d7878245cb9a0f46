package io.deli.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a verification.
 *
 * @param versions versions of the base table whose entries were looked for
 * @param entries entries of the index whose versions were looked for
 * @param found how many findings there are of each kind; kinds without any are left out
 * @param samples the first of each kind
 * @param written missing entries that are there now
 * @param reported entries that regions of the base table were told of, to delete them if nothing
 *     justifies them
 * @param position where to go on; empty if all was compared
 */
public record VerifyReport(
    long versions,
    long entries,
    Map<Finding.Kind, Long> found,
    List<Finding> samples,
    long written,
    long reported,
    Optional<VerifyPosition> position) {
  public VerifyReport {
    found = Map.copyOf(found);
    samples = List.copyOf(samples);
  }

  /** Returns the number of findings of a kind. */
  public long count(Finding.Kind kind) {
    return found.getOrDefault(kind, 0L);
  }

  /** Whether what was compared has no {@linkplain Finding.Kind#isDamage damage}. */
  public boolean isClean() {
    return found.keySet().stream().noneMatch(Finding.Kind::isDamage);
  }

  /** Whether all was compared. */
  public boolean isComplete() {
    return position.isEmpty();
  }
}
