package io.deli.coprocessor.internal.postinglist;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hbase.thirdparty.com.google.common.collect.Iterables;
import org.apache.hbase.thirdparty.com.google.common.collect.Sets;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Striped;

/**
 * Lets one batch at a time read and write a row: HBase's own lock of a row is shared by Puts and
 * Deletes. Those that only write it may share it here, too. Thread-safe.
 *
 * <p>Rows share a fixed number of locks. A thread takes those of a batch in order, and while it
 * holds them waits for no others, so that none wait in a circle.
 */
public final class RowLocks {
  // One less than Striped rounds up to, or it would have a map for its array.
  private static final int LOCKS = 1_023;

  private final Striped<ReadWriteLock> locks = Striped.lazyWeakReadWriteLock(LOCKS);
  private final ConcurrentMap<Thread, List<Lock>> held = new ConcurrentHashMap<>();
  private final long patienceMillis;

  public RowLocks(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /**
   * Locks rows until {@link #unlock}.
   *
   * @param alone that no other batch may have meanwhile
   * @param shared that others may have which share them
   * @throws RegionTooBusyException if others hold them for too long; nothing is locked then
   */
  public void lock(Collection<ByteBuffer> alone, Collection<ByteBuffer> shared) throws IOException {
    // Those of a batch in whose midst another coprocessor has the thread write this one.
    unlock();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    List<Lock> mine = new ArrayList<>(alone.size() + shared.size());
    held.put(Thread.currentThread(), mine);
    Set<ReadWriteLock> exclusive = Sets.newIdentityHashSet();
    locks.bulkGet(alone).forEach(exclusive::add);
    ReadWriteLock last = null;
    for (ReadWriteLock each : locks.bulkGet(Iterables.concat(alone, shared))) {
      // How often a lock may be held is limited, and a batch may write one row any number of times.
      if (each != last) {
        mine.add(locked(exclusive.contains(each) ? each.writeLock() : each.readLock(), end));
        last = each;
      }
    }
  }

  private Lock locked(Lock lock, long end) throws IOException {
    try {
      if (lock.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return lock;
      }
    } catch (InterruptedException e) {
      unlock();
      throw (IOException) new InterruptedIOException("stopped waiting for rows").initCause(e);
    }
    unlock();
    throw new RegionTooBusyException(
        "others have kept the same rows for " + patienceMillis + " ms");
  }

  /** Unlocks what this thread has locked, if anything. */
  public void unlock() {
    Optional.ofNullable(held.remove(Thread.currentThread()))
        .ifPresent(mine -> mine.forEach(Lock::unlock));
  }
}
