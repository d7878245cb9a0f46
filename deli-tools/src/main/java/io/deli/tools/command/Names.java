package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.output.Texts;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

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

  /** The family given, or the only one there is. */
  static String family(TableDescriptor table, String given) {
    List<String> families =
        Arrays.stream(table.getColumnFamilies()).map(f -> Texts.format(f.getName())).toList();
    if (given != null && !families.contains(given)) {
      throw Failure.usage(
          "table %s has no family '%s': use one of %s"
              .formatted(table.getTableName(), given, families));
    }
    if (given == null && families.size() != 1) {
      throw Failure.usage(
          "table %s has the families %s: choose one with --family"
              .formatted(table.getTableName(), families));
    }
    return given == null ? families.get(0) : given;
  }
}
