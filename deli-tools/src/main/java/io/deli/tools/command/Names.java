package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.output.Texts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** Reads names of tables, row keys, times and files from the command line. */
final class Names {
  /** Tells a person how to write a time. */
  static final String TIME = "milliseconds since 1970 or as in 2026-01-31T12:00:00Z";

  private Names() {}

  /** Reads {@code table} or {@code namespace:table}. */
  static TableName table(String text) {
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          "'%s' is no table name: use letters, digits, '_', '-' and '.', as in movies or ns:movies"
              .formatted(text));
    }
  }

  static byte[] key(String text) {
    byte[] key = Texts.parse(text);
    if (key.length == 0 || key.length > HConstants.MAX_ROW_LENGTH) {
      throw Failure.usage(
          "a row key has 1 to %d bytes, not %d".formatted(HConstants.MAX_ROW_LENGTH, key.length));
    }
    return key;
  }

  /** Reads a time, in milliseconds since 1970. */
  static long time(String option, String text) {
    long millis;
    try {
      millis = text.matches("-?\\d+") ? Long.parseLong(text) : Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
      throw Failure.usage("%s %s: give a time, %s".formatted(option, text, TIME));
    }
    if (millis < 0) {
      throw Failure.usage("%s %s: must not be negative".formatted(option, text));
    }
    return millis;
  }

  /** Refuses a file that cannot be read. */
  static void requireReadable(Path file) {
    String why = null;
    if (!Files.exists(file)) {
      why = "no such file";
    } else if (Files.isDirectory(file)) {
      why = "it is a directory";
    } else if (!Files.isReadable(file)) {
      why = "permission denied";
    }
    if (why != null) {
      throw Failure.usage("cannot read %s: %s".formatted(file, why));
    }
  }
}
