package io.deli.lab.torture;

/**
 * The contention of clients for a few rows besides, all threads for all of them.
 *
 * @param rows of each {@linkplain ContendedRows.Kind kind}; 0 for no contention
 * @param writers threads of each client
 * @param readers threads of each client
 * @param pauseMillis of a thread between two calls
 * @param lossy whether answers of the servers may be lost, so that HBase's client may send a
 *     request twice
 */
public record Contention(int rows, int writers, int readers, long pauseMillis, boolean lossy) {
  public static final Contention NONE = new Contention(0, 0, 0, 0, false);

  /** Some of it. */
  public static final Contention SOME = new Contention(2, 2, 2, 1, false);

  /** The same for so many rows of each kind. */
  public Contention onRows(int number) {
    return number == 0 ? NONE : new Contention(number, writers, readers, pauseMillis, lossy);
  }

  /** The same where answers may be lost. */
  public Contention losingAnswers() {
    return new Contention(rows, writers, readers, pauseMillis, true);
  }

  /** The same with threads that do nothing for so long between two calls. */
  public Contention pausing(long millis) {
    return new Contention(rows, writers, readers, millis, lossy);
  }

  boolean isNone() {
    return rows == 0;
  }
}
