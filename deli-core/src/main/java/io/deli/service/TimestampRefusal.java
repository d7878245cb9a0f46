package io.deli.service;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;

/**
 * A base region's refusal of a {@link DrawnTimestamp}. HBase carries the failure of one mutation of
 * a batch as a text, so this is a part of one.
 *
 * @param newest timestamp that one for this row has to exceed
 * @param clock of the region server, in milliseconds, that no timestamp may be ahead of
 */
public record TimestampRefusal(long newest, long clock) {
  private static final Pattern FORMAT =
      Pattern.compile("\\[deli timestamp refused, v1: newest=(-?\\d+) clock=(-?\\d+)]");

  /** The text of the failure. */
  public String toMessage(String refused) {
    return refused + " [deli timestamp refused, v1: newest=" + newest + " clock=" + clock + "]";
  }

  /** Returns the refusal as it stands some milliseconds later. */
  public TimestampRefusal after(long millis) {
    return new TimestampRefusal(newest, clock + millis);
  }

  /** The refusal that a failure tells of; empty if it is another failure. */
  public static Optional<TimestampRefusal> of(Throwable failure) {
    if (!(failure instanceof FailedSanityCheckException) || failure.getMessage() == null) {
      return Optional.empty();
    }
    Matcher told = FORMAT.matcher(failure.getMessage());
    return told.find()
        ? Optional.of(
            new TimestampRefusal(Long.parseLong(told.group(1)), Long.parseLong(told.group(2))))
        : Optional.empty();
  }
}
