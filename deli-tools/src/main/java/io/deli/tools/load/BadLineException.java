package io.deli.tools.load;

/** A line of the input that is no row; reading may go on behind it. */
public final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  public BadLineException(long line, String reason) {
    super(reason);
    this.line = line;
  }

  /** Number of the line, from 1. */
  public long line() {
    return line;
  }

  /** For a person: the line and what is wrong with it. */
  public String report() {
    return "line " + line + ": " + getMessage();
  }
}
