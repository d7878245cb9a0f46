package io.deli.client;

/**
 * How to build an index.
 *
 * @param threads that read the table and write entries
 * @param rowsPerSecond to read at most, all threads together; 0 for as many as they can
 */
public record BuildOptions(int threads, long rowsPerSecond) {
  /** Four threads, as fast as they can. */
  public static final BuildOptions DEFAULT = new BuildOptions(4, 0);

  public BuildOptions {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads: give at least 1");
    }
    if (rowsPerSecond < 0) {
      throw new IllegalArgumentException(rowsPerSecond + " rows a second: give 0 or more");
    }
  }

  public BuildOptions withThreads(int number) {
    return new BuildOptions(number, rowsPerSecond);
  }

  public BuildOptions withRowsPerSecond(long number) {
    return new BuildOptions(threads, number);
  }
}
