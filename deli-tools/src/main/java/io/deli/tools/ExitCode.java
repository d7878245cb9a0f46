package io.deli.tools;

/** The codes that {@code bin/deli} returns to the shell. */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** The operation failed, or a row asked for is not there. */
  public static final int FAILED = 1;

  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;

  /**
   * Done in part: {@code load} skipped bad lines, {@code build} or {@code create-index --build} met
   * values that the index does not take, operations of {@code ycsb} failed, the time of {@code
   * verify} was up, {@code collect} left regions or dead versions, {@code indexes} could not read
   * all definitions.
   */
  public static final int PARTIAL = 3;

  /** No HBase: not reachable, or the data directory or a port is in use. */
  public static final int UNAVAILABLE = 4;

  /** An index is not what its table says. */
  public static final int DAMAGED = 5;

  private ExitCode() {}
}
