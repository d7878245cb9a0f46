package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.HitPage.PositionedHit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Remembers the rows that a run of a query has met, so that each is returned once. Not thread-safe.
 *
 * <p>Rows that were given are remembered, in 20 to 50 bytes each, while there is room. Beyond that
 * only those are which have changed since the query began; any other is a hit at its own entry and
 * nowhere else, which needs no memory. A row that was given without being remembered, and then
 * moves ahead of the scan, comes again.
 */
final class SeenRows {
  /** Heap size of a postponed row without its contents. */
  private static final int OVERHEAD = 300;

  private final long most;
  private final KeyDigests given = new KeyDigests();
  private final KeyDigests passed = new KeyDigests();
  private final Set<byte[]> giving = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private final Map<byte[], PositionedHit> postponed = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private long postponedBytes;

  /** Whether a row was given without being remembered; room that is freed later changes nothing. */
  private boolean lacksGiven;

  /**
   * @param most bytes that it may take, except for rows that change meanwhile
   */
  SeenRows(long most) {
    this.most = most;
  }

  /**
   * Whether a hit is to be given that the scan is at, or behind.
   *
   * @param changed whether the row has changed since the query began
   * @param atItsEntry whether the scan is just there
   */
  boolean give(PositionedHit hit, boolean changed, boolean atItsEntry) {
    byte[] key = hit.hit().row();
    if (isGiven(key)) {
      return false;
    }
    if (changed || postponed.containsKey(key) || (!lacksGiven && hasRoom())) {
      return giving.add(key);
    }
    lacksGiven |= atItsEntry;
    return atItsEntry;
  }

  /**
   * Postpones a hit whose entry the scan has yet to reach.
   *
   * @return whether it is to be given now, for lack of room
   */
  boolean postpone(PositionedHit hit, boolean changed) {
    byte[] key = hit.hit().row();
    if (isGiven(key)) {
      return false;
    }
    forget(key);
    if (hasRoom()) {
      postponed.put(key, hit);
      postponedBytes += bytes(hit.hit());
      return false;
    }
    // What has not changed is met at its entry.
    return changed && giving.add(key);
  }

  /** Postpones a hit that was given since the last call of {@link #keep}, whatever it takes. */
  void takeBack(PositionedHit hit) {
    byte[] key = hit.hit().row();
    giving.remove(key);
    forget(key);
    postponed.put(key, hit);
    postponedBytes += bytes(hit.hit());
  }

  /** Notes that a row with a recent entry was met when it did not satisfy the query. */
  void passed(byte[] key) {
    if (hasRoom()) {
      passed.add(key);
    }
  }

  /** Whether a row is known to have been met by the scan. */
  boolean knows(byte[] key) {
    return isGiven(key) || postponed.containsKey(key) || passed.contains(key);
  }

  /** Whether there are postponed hits that were not given since. */
  boolean hasPostponed() {
    return postponed.keySet().stream().anyMatch(key -> !isGiven(key));
  }

  /** Returns the postponed hits, at the end of the scan. */
  List<PositionedHit> givePostponed() {
    List<PositionedHit> hits =
        postponed.values().stream().filter(hit -> !isGiven(hit.hit().row())).toList();
    hits.forEach(hit -> giving.add(hit.hit().row()));
    return hits;
  }

  /** Remembers the rows given since the last call: their page was taken. */
  void keep() {
    for (byte[] key : giving) {
      given.add(key);
      forget(key);
    }
    giving.clear();
  }

  /** Forgets the rows given since the last call of {@link #keep}: the page is read again. */
  void undo() {
    giving.clear();
  }

  private boolean isGiven(byte[] key) {
    return giving.contains(key) || given.contains(key);
  }

  private void forget(byte[] key) {
    PositionedHit before = postponed.isEmpty() ? null : postponed.remove(key);
    if (before != null) {
      postponedBytes -= bytes(before.hit());
    }
  }

  private boolean hasRoom() {
    return given.heapSize() + passed.heapSize() + postponedBytes < most;
  }

  private static long bytes(ValueHit hit) {
    return OVERHEAD
        + hit.row().length
        + hit.value().length
        + Result.getTotalSizeOfCells(hit.projected());
  }
}
