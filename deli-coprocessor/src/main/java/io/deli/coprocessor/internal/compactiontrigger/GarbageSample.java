package io.deli.coprocessor.internal.compactiontrigger;

import java.util.List;

/**
 * A sample of a store's cells. Immutable.
 *
 * @param stretches whose places were drawn with a chance in proportion to the cells that are there
 */
record GarbageSample(List<Stretch> stretches) {

  /**
   * Consecutive rows.
   *
   * @param cells of any kind
   * @param versions of these, the puts to indexed columns
   * @param dying of these, the ones that a compaction of all files would take with their entries
   */
  record Stretch(long cells, long versions, long dying) {}

  /**
   * The share of dying versions among all of the store, by estimate; 0 if none was seen.
   *
   * <p>A stretch of many cells is drawn more often, so each counts by its shares of cells, not by
   * their number: else rows with many versions would count twice.
   */
  double ratio() {
    double versions = 0;
    double dying = 0;
    for (Stretch stretch : stretches) {
      if (stretch.cells() > 0) {
        versions += (double) stretch.versions() / stretch.cells();
        dying += (double) stretch.dying() / stretch.cells();
      }
    }
    return dying == 0 ? 0 : dying / versions;
  }
}
