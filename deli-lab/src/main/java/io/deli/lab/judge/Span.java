package io.deli.lab.judge;

/**
 * From when to when something went on, in nanoseconds of this machine's clock since it started.
 *
 * @param ended {@link #NEVER} for what may go on in secret, such as a write that failed
 */
public record Span(long begun, long ended) {
  public static final long NEVER = Long.MAX_VALUE;

  /** Of what has not begun yet. */
  public static final Span UNKNOWN = new Span(NEVER, NEVER);

  public boolean isBefore(Span other) {
    return ended < other.begun;
  }

  public boolean overlaps(Span other) {
    return !isBefore(other) && !other.isBefore(this);
  }

  public boolean hasEnd() {
    return ended != NEVER;
  }
}
