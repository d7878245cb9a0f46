package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.ValueType;
import io.deli.strategy.EntryCondition;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.Failure;
import io.deli.tools.load.RowMapping;
import io.deli.tools.output.Texts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Names and types of a table's columns on the command line. */
final class ColumnTypes {
  private final TableDescriptor table;
  private final String family;
  private final Map<Column, ValueType> types = new HashMap<>();

  /**
   * The types of a table's indexes, and those given for further columns. Where indexes of a column
   * differ, one that takes numbers tells more than one that takes any bytes.
   *
   * @param family for names without one, or null for the only one there is
   * @throws Failure if a type contradicts that of an index
   */
  ColumnTypes(TableDescriptor table, String family, Map<String, ValueType> given) {
    this.table = table;
    this.family = family;
    given.forEach((name, type) -> types.put(column(name), type));
    Map<Column, ValueType> indexed = new HashMap<>();
    for (IndexDefinition index : IndexDefinitions.of(table)) {
      for (KeyColumn key : index.columns()) {
        ValueType own = types.get(key.column());
        if (own != null && own != key.type()) {
          throw Failure.usage(
              "--types gives column %s as %s, but index '%s' takes %s: leave it out"
                  .formatted(key.column(), own, index.name(), key.type()));
        }
        indexed.merge(key.column(), key.type(), (one, next) -> one.isNumeric() ? one : next);
      }
    }
    types.putAll(indexed);
  }

  Map<Column, ValueType> all() {
    return types;
  }

  /** The family for names without one. */
  String defaultFamily() {
    Set<String> families = families();
    if (family != null && !families.contains(family)) {
      throw Failure.usage(
          "table %s has no family '%s': use one of %s"
              .formatted(table.getTableName(), family, families));
    }
    if (family == null && families.size() != 1) {
      throw Failure.usage(
          "table %s has the families %s: write family:qualifier or choose one with --family"
              .formatted(table.getTableName(), families));
    }
    return family == null ? families.iterator().next() : family;
  }

  Set<String> families() {
    return Arrays.stream(table.getColumnFamilies())
        .map(f -> Texts.format(f.getName()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The column that {@code qualifier} or {@code family:qualifier} names. */
  Column column(String name) {
    Column column =
        name.indexOf(':') > 0 ? Column.parse(name) : RowMapping.column(defaultFamily(), name);
    if (table.getColumnFamily(column.family()) == null) {
      throw Failure.usage(
          "table %s has no family '%s', which column %s needs"
              .formatted(table.getTableName(), Texts.format(column.family()), name));
    }
    return column;
  }

  byte[] encode(Column column, String text) {
    try {
      return Texts.encode(types.getOrDefault(column, ValueType.STRING), text);
    } catch (InvalidIndexException e) {
      throw Failure.usage("column " + column + ": " + e.getMessage());
    }
  }

  /** The definition with its condition, if any, as {@code --where} takes it; for printing. */
  IndexDefinition readable(IndexDefinition index) {
    return EntryCondition.of(index)
        .map(where -> where.column() + "=" + decode(where.column(), where.value()))
        .map(text -> index.withOption(IndexDefinition.WHERE, text))
        .orElse(index);
  }

  Object decode(Column column, byte[] value) {
    return Texts.value(types.getOrDefault(column, ValueType.STRING), value);
  }
}
