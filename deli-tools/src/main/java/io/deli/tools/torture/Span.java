package io.deli.tools.torture;

/**
 * From when to when something went on, in nanoseconds of this JVM's clock.
 *
 * @param ended {@link #NEVER} for what may go on in secret, such as a write that failed
 */
record Span(long begun, long ended) {
  static final long NEVER = Long.MAX_VALUE;

  boolean isBefore(Span other) {
    return ended < other.begun;
  }
}
