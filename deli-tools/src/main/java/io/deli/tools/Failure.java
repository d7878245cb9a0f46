package io.deli.tools;

/**
 * A command cannot do what was asked; the message is one line that names the thing and the cure.
 */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public Failure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The operation failed. */
  public static Failure of(String message) {
    return new Failure(ExitCode.FAILED, message);
  }

  /** The command line asks for something that cannot be. */
  public static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, message);
  }

  /** One of {@link ExitCode}. */
  public int exitCode() {
    return exitCode;
  }
}
