/**
 * Update in place (the second baseline of <em>DELI: DEferred Lightweight Indexing on log-structured
 * key-value stores</em>, section 6; what most systems do): put the new entry, read the old version,
 * put the base version, delete the old entry.
 *
 * <p>No row is locked. A writer deletes the entry of the version that it found superseded, by its
 * exact timestamp, only when its own version is acknowledged, and only if that one is there to stay
 * ({@code docs/strategies.md} has the cases). What two overlapping writers of one row did not see
 * of each other, or a crash left behind, is found stale by readers and repaired. A lock by {@code
 * checkAndMutate} would leave nothing behind, but would make each write of a batch a request and a
 * log append of its own.
 *
 * <p>Entries of writes with a timestamp of the application's, or a condition, have a write id that
 * only the region servers know; they are left to readers, too.
 */
package io.deli.strategy.inplace;
