package io.deli.ycsb;

import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;

/**
 * The text of the values of the indexed field: numbers from 0, as decimals of one length, which
 * sort alike as text and as numbers; or such with letters behind them or among them, which are
 * drawn by the digits before them and sort alike, too.
 */
record ValueText(long count, int length, Pattern pattern) {
  static final String COUNT = "valuecount";
  static final String LENGTH = "valuelength";
  static final String DEFAULT_LENGTH = "20";
  static final String PATTERN = "valuepattern";

  private static final int MOST_AT_ONCE = 1 << 16;

  /** Drawn once: to draw a kilobyte takes more CPU than a region needs to write the row. */
  private static final String LETTERS =
      new SplittableRandom(1)
          .ints(2 * MOST_AT_ONCE, 'a', 'z' + 1)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();

  /** Knuth's, so that digits that are alike lead to different places. */
  private static final int SPREAD = 0x9E3779B1;

  /** The place of what makes a value longer than its number. */
  enum Pattern {
    /** Zeros before it, so that all values begin alike. */
    PADDED,
    /** Letters behind it, so that few bytes tell a value from all others. */
    RANDOM,
    /** Letters behind each digit, so that values begin alike that have digits in common. */
    NESTED
  }

  /** Reads the properties; empty if they do not give the number of values. */
  static Optional<ValueText> of(Properties properties) {
    String count = properties.getProperty(COUNT);
    return count == null
        ? Optional.empty()
        : Optional.of(
            new ValueText(
                Long.parseLong(count),
                Integer.parseInt(properties.getProperty(LENGTH, DEFAULT_LENGTH)),
                Pattern.valueOf(
                    properties
                        .getProperty(PATTERN, Pattern.PADDED.name())
                        .toUpperCase(Locale.ROOT))));
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

  /** Digits of a value, with one more for numbers behind the last value. */
  private int width() {
    return pattern == Pattern.PADDED
        ? length
        : Math.min(length, Long.toString(count - 1).length() + 1);
  }

  /** Letters behind each digit but the last. */
  private int lettersBehindDigit() {
    return pattern == Pattern.NESTED ? length / width() - 1 : 0;
  }

  /** The length of what values have in common that differ in the last digit only. */
  int prefixLength() {
    return (width() - 1) * (1 + lettersBehindDigit());
  }

  String text(long number) {
    String digits = Long.toString(number);
    digits = "0".repeat(width() - digits.length()) + digits;
    StringBuilder text = new StringBuilder(length);
    for (int i = 1; i < digits.length(); i++) {
      text.append(digits.charAt(i - 1));
      addLetters(text, digits.substring(0, i), lettersBehindDigit());
    }
    text.append(digits.charAt(digits.length() - 1));
    addLetters(text, digits, length - text.length());
    return text.toString();
  }

  private static void addLetters(StringBuilder text, String digits, int count) {
    int from = Math.floorMod(digits.hashCode() * SPREAD, MOST_AT_ONCE);
    for (int left = count; left > 0; left -= MOST_AT_ONCE) {
      text.append(LETTERS, from, from + Math.min(left, MOST_AT_ONCE));
    }
  }
}
