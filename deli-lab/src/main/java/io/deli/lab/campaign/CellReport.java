package io.deli.lab.campaign;

import java.util.List;
import java.util.Map;

/**
 * The faults and results of a cell.
 *
 * @param refused faults that could not happen when they were to
 * @param skipped says which faults of its profile this machine could not have happen
 * @param violations answers that nothing explains, and differences of base and indexes
 * @param undecided rows of which it would take too long to decide
 * @param evidence where the history around a violation is kept; empty if there is none
 */
public record CellReport(
    String cell,
    long seed,
    long seconds,
    Outcomes outcomes,
    Map<String, Integer> faults,
    Map<String, Integer> refused,
    List<String> skipped,
    List<String> violations,
    List<String> undecided,
    String evidence) {
  public CellReport {
    // Campaigns of before did not tell.
    skipped = skipped == null ? List.of() : List.copyOf(skipped);
  }

  public boolean isClean() {
    return violations.isEmpty();
  }

  public int faultCount() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }

  long rate() {
    return outcomes.checked() / Math.max(1, seconds);
  }

  /**
   * The outcomes of the calls of a cell, of each row; queries apart.
   *
   * @param failed writes of which the client was told a failure or nothing
   * @param failures by their kind, of calls
   * @param longestGapMillis the longest time without an acknowledged write
   */
  public record Outcomes(
      long writes,
      long reads,
      long queries,
      long failed,
      Map<String, Long> failures,
      long longestGapMillis) {
    public long checked() {
      return writes + reads + queries;
    }
  }
}
