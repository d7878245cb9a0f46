package io.deli.lab.torture;

/**
 * The contention of clients for a few rows besides, all threads for all of them.
 *
 * @param rows of each {@linkplain ContendedRows.Kind kind}; 0 for no contention
 * @param lossy whether answers may be lost, so that HBase's client may send a request twice
 */
public record Contention(int rows, long pauseMillis, boolean lossy) {
  public static final Contention NONE = new Contention(0, 0, false);
  public static final Contention SOME = new Contention(2, 1, false);

  public Contention onRows(int number) {
    return number == 0 ? NONE : new Contention(number, pauseMillis, lossy);
  }

  public Contention losingAnswers() {
    return new Contention(rows, pauseMillis, true);
  }

  public Contention pausing(long millis) {
    return new Contention(rows, millis, lossy);
  }

  /** Of each client, that write, and as many that read. */
  int threads() {
    return rows == 0 ? 0 : 2;
  }
}
