package io.deli.tools.output;

import java.util.List;
import java.util.Map;

/** Prints rows as they come. Not thread-safe. */
public interface RowWriter {
  /**
   * Prints one row; values are texts, numbers, booleans, times, sizes or null for none, as many as
   * there are columns.
   */
  void row(List<?> values);

  /**
   * Ends the output.
   *
   * @param facts about the whole, in order; each format places them where they do no harm to a
   *     program that reads it
   */
  void end(Map<String, ?> facts);
}
