package io.deli.ycsb;

import java.util.Optional;
import java.util.Properties;

/**
 * The text of the values of the indexed field: numbers from 0, as decimals of one length, which
 * sort alike as text and as numbers.
 */
record ValueText(long count, int length) {
  static final String COUNT = "valuecount";
  static final String LENGTH = "valuelength";
  static final String DEFAULT_LENGTH = "20";

  /** Reads the properties; empty if they do not give the number of values. */
  static Optional<ValueText> of(Properties properties) {
    String count = properties.getProperty(COUNT);
    return count == null
        ? Optional.empty()
        : Optional.of(
            new ValueText(
                Long.parseLong(count),
                Integer.parseInt(properties.getProperty(LENGTH, DEFAULT_LENGTH))));
  }

  ValueText {
    if (count < 1) {
      throw new IllegalArgumentException(COUNT + "=" + count + ": must be at least 1");
    }
    if (length < Long.toString(count - 1).length()) {
      throw new IllegalArgumentException(
          LENGTH + "=" + length + ": too short for " + count + " values");
    }
  }

  String text(long number) {
    String digits = Long.toString(number);
    return "0".repeat(length - digits.length()) + digits;
  }
}
