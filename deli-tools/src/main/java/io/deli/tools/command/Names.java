package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.output.Texts;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** Names of tables from the command line. */
final class Names {
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

  /** Reads a row key. */
  static byte[] key(String text) {
    byte[] key = Texts.parse(text);
    if (key.length == 0 || key.length > HConstants.MAX_ROW_LENGTH) {
      throw Failure.usage(
          "a row key has 1 to %d bytes, not %d".formatted(HConstants.MAX_ROW_LENGTH, key.length));
    }
    return key;
  }
}
