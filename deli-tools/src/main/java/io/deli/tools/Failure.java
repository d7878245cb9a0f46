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

  /**
   * Refuses two options of which only one may be given.
   *
   * @param first value of the first; null or false if it is not given
   * @param second value of the second, likewise
   */
  public static void ifBoth(String one, Object first, String other, Object second) {
    if (isGiven(first) && isGiven(second)) {
      throw usage("%s and %s exclude each other: leave one out".formatted(one, other));
    }
  }

  private static boolean isGiven(Object value) {
    return value != null && !Boolean.FALSE.equals(value);
  }

  /** One of {@link ExitCode}. */
  public int exitCode() {
    return exitCode;
  }
}
