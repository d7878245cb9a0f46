package io.deli.lab.campaign;

import java.time.Duration;

/**
 * The size of a cell.
 *
 * @param operations to be checked, at least
 * @param faults to befall, at least
 * @param most time, after which a run ends with fewer
 * @param interval between two faults other than those of tables
 * @param clients processes
 * @param threads of each
 * @param hot rows of each kind
 * @param wide rows besides
 * @param graceMillis of read repair
 * @param calm after which what failed before is settled
 * @param calmEvery so many faults, of those that are not of tables
 */
record CellSize(
    long operations,
    int faults,
    Duration most,
    Duration interval,
    int clients,
    int threads,
    int hot,
    int wide,
    long graceMillis,
    Duration calm,
    int calmEvery) {
  /** For a cluster of processes on two cores. */
  static final CellSize DEFAULT =
      new CellSize(
          0,
          0,
          Duration.ofMinutes(6),
          Duration.ofSeconds(1),
          3,
          12,
          2,
          40_000,
          20_000,
          Duration.ofSeconds(10),
          6);

  CellSize with(long ofOperations, int ofFaults) {
    return new CellSize(
        ofOperations,
        ofFaults,
        most,
        interval,
        clients,
        threads,
        hot,
        wide,
        graceMillis,
        calm,
        calmEvery);
  }

  int places() {
    return ClientPlan.places(hot, wide);
  }
}
