package io.deli.tools.command;

import io.deli.tools.Failure;
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
}
