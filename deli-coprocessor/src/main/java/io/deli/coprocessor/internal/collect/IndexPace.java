package io.deli.coprocessor.internal.collect;

/**
 * The pace of an index table in one compaction: how many deletes the next request to it may have,
 * since when it has acknowledged none, and for how long the compaction has waited for it. The first
 * request is small, and the next ones grow and shrink with the time that answers take, so that an
 * index that is slow gets no more than it can do in a fraction of the time-out. To be used by one
 * thread, but for {@link #acknowledged}.
 */
final class IndexPace {
  private static final int FIRST = 16;

  /** HBase warns about requests with more rows than 5000. */
  private static final int MOST = 4_000;

  private static final int GROWTH = 4;
  private static final int SOON = 16;
  private static final int LATE = 4;

  /** The number of fruitless requests in a row after which further ones are in vain. */
  private static final int FRUITLESS = 3;

  /**
   * The time-outs for which a compaction waits for an index in all, however much it acknowledges.
   */
  static final int WAITS = 60;

  private final long timeoutNanos;
  private volatile long heardAt;
  private long waited;
  private int size = FIRST;
  private int underWay;
  private int fruitless;
  private boolean givenUp;
  private Throwable failure;

  IndexPace(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Deletes that the next request may have. */
  int size() {
    return size;
  }

  void sent(long now) {
    if (underWay++ == 0) {
      heardAt = now;
    }
  }

  /** Records an acknowledgement; to be called by any thread. */
  void acknowledged(long now) {
    heardAt = now;
  }

  /**
   * A request is answered.
   *
   * @param asked how many deletes it had
   * @param done how many of them are acknowledged
   * @param reason why others are not; null if unknown, or if all are
   */
  void answered(int asked, int done, long nanos, Throwable reason) {
    underWay--;
    failure = reason == null ? failure : reason;
    fruitless = done > 0 ? 0 : fruitless + 1;
    if (nanos > timeoutNanos / LATE || done < asked) {
      size = Math.max(1, size / 2);
    } else if (nanos < timeoutNanos / SOON && asked >= size) {
      size = Math.min(MOST, size * GROWTH);
    }
  }

  /** The compaction has waited for so long while requests were under way, these or others. */
  void waited(long nanos) {
    waited += underWay > 0 ? nanos : 0;
  }

  /** Nanoseconds for which it is worth while to wait for the requests under way. */
  long patience(long now) {
    return timeoutNanos - (now - heardAt);
  }

  /** Whether further requests are in vain. */
  boolean isVain(long now) {
    return fruitless >= FRUITLESS
        || (underWay > 0 && patience(now) <= 0)
        || waited >= WAITS * timeoutNanos;
  }

  /** The last failure of a request; null if there was none. */
  Throwable failure() {
    return failure;
  }

  void giveUp() {
    givenUp = true;
  }

  boolean isGivenUp() {
    return givenUp;
  }
}
