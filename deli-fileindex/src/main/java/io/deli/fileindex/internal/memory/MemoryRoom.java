package io.deli.fileindex.internal.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The bytes that all indexes of memory on a region server may take. Thread-safe. */
public final class MemoryRoom {
  private final long most;
  private final LongConsumer growth;
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param growth is told how many bytes are taken more than before, or less
   */
  public MemoryRoom(long most, LongConsumer growth) {
    this.most = most;
    this.growth = growth;
  }

  /** How much there is in all. */
  public long most() {
    return most;
  }

  /** Takes some; false if there is not as much. */
  boolean take(long bytes) {
    // Never more than there is, for that would refuse others what they may have.
    long before = taken.getAndUpdate(now -> bytes <= most - now ? now + bytes : now);
    if (bytes > most - before) {
      return false;
    }
    growth.accept(bytes);
    return true;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
    growth.accept(-bytes);
  }
}
