package io.deli.lab.campaign;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What befell a cell and what came of it.
 *
 * @param cell its name
 * @param seed of all choices
 * @param seconds that clients worked
 * @param faults that befell the cluster or a client, by name
 * @param refused faults that could not happen when they were to
 * @param violations answers that nothing explains, and differences of base and indexes
 * @param undecided rows of which it would take too long to decide
 * @param evidence where the history around a violation is kept; empty if there is none
 */
record CellReport(
    String cell,
    long seed,
    long seconds,
    Tally.Outcomes outcomes,
    Map<String, Integer> faults,
    Map<String, Integer> refused,
    List<String> violations,
    List<String> undecided,
    String evidence) {
  boolean isClean() {
    return violations.isEmpty();
  }

  CellReport keptIn(Path directory) {
    return new CellReport(
        cell,
        seed,
        seconds,
        outcomes,
        faults,
        refused,
        violations,
        undecided,
        directory.toString());
  }

  int faultCount() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }

  long rate() {
    return outcomes.checked() / Math.max(1, seconds);
  }
}
