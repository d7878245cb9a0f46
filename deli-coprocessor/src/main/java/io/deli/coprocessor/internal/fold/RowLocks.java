package io.deli.coprocessor.internal.fold;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Lets one batch at a time fold a row: HBase's own lock of a row is shared by Puts. Thread-safe.
 *
 * <p>Rows share a fixed number of locks. A thread takes those of a batch in order, and while it
 * holds them waits for no others, so that none wait in a circle.
 */
final class RowLocks {
  private static final int LOCKS = 1_024;

  private final List<ReentrantLock> locks =
      IntStream.range(0, LOCKS).mapToObj(i -> new ReentrantLock()).toList();

  private final ConcurrentMap<Thread, List<ReentrantLock>> held = new ConcurrentHashMap<>();
  private final long patienceMillis;

  RowLocks(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /**
   * Locks rows until {@link #unlock}.
   *
   * @throws RegionTooBusyException if others hold one for too long; nothing is locked then
   */
  void lock(Collection<ByteBuffer> rows) throws IOException {
    // What a failure in another coprocessor kept from being unlocked.
    unlock();
    SortedSet<Integer> places =
        rows.stream()
            .map(row -> Math.floorMod(row.hashCode(), LOCKS))
            .collect(Collectors.toCollection(TreeSet::new));
    List<ReentrantLock> mine = new ArrayList<>(places.size());
    held.put(Thread.currentThread(), mine);
    for (int place : places) {
      if (!tryLock(locks.get(place))) {
        unlock();
        throw new RegionTooBusyException(
            "others have been folding the same rows for " + patienceMillis + " ms");
      }
      mine.add(locks.get(place));
    }
  }

  private boolean tryLock(ReentrantLock lock) throws IOException {
    try {
      return lock.tryLock(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      unlock();
      throw (IOException) new InterruptedIOException("stopped waiting for rows").initCause(e);
    }
  }

  /** Unlocks what this thread has locked, if anything. */
  void unlock() {
    Optional.ofNullable(held.remove(Thread.currentThread()))
        .ifPresent(mine -> mine.forEach(ReentrantLock::unlock));
  }
}
