package io.deli.client;

/**
 * Size and health of an index, by a scan of its entries and a check of a sample against the base.
 *
 * @param entries entries in the index table
 * @param sampled how many of them were checked
 * @param stale how many of these no visible base version justifies
 * @param bytes size of the index table's store files
 */
public record IndexStatistics(long entries, long sampled, long stale, long bytes) {
  /** Estimated fraction of entries that are garbage, 0 to 1. */
  public double garbageRatio() {
    return sampled == 0 ? 0 : (double) stale / sampled;
  }
}
