package io.deli.client;

import java.io.IOException;

/**
 * A verification ended early, since a server could not be reached, say, or its thread was
 * interrupted: what it found until then, where to go on, and, as the cause, why. Its {@link
 * VerifyReport#position} is there always; what was compared behind it is compared, and counted,
 * again by whoever goes on there.
 */
public final class VerifyFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient VerifyReport report;

  /**
   * @param report one with a position
   */
  public VerifyFailedException(VerifyReport report, Throwable cause) {
    super(
        "stopped at '%s', from where it can be resumed: %s"
            .formatted(report.position().orElseThrow(), cause.getMessage()),
        cause);
    this.report = report;
  }

  /** Returns the findings up to the failure. */
  public VerifyReport report() {
    return report;
  }
}
