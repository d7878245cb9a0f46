package io.deli.index;

import io.deli.index.internal.DefinitionJson;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads and writes the index definitions in a base table's descriptor. */
public final class IndexDefinitions {
  private static final String KEY_PREFIX = "deli.index.";

  private IndexDefinitions() {}

  /**
   * All definitions of a table, by name; empty for a table without indexes. Those of another table,
   * which a snapshot has brought, are {@link IndexState#DETACHED}.
   *
   * @throws InvalidIndexException if one is unreadable or of a newer version
   */
  public static List<IndexDefinition> of(TableDescriptor table) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .map(e -> read(table.getTableName(), e))
        .sorted(Comparator.comparing(IndexDefinition::name))
        .toList();
  }

  /**
   * The columns with indexes that region servers are to maintain, as far as that can be told; also
   * of definitions that are of a newer version.
   */
  public static Set<Column> servedColumns(TableDescriptor table) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .map(e -> Bytes.toString(e.getValue().get()))
        .flatMap(json -> DefinitionJson.servedColumn(table.getTableName(), json).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static IndexDefinition read(TableName table, Map.Entry<Bytes, Bytes> value) {
    String key = Bytes.toString(value.getKey().get());
    return DefinitionJson.read(
        table, Bytes.toString(value.getValue().get()), "table " + table + ", value '" + key + "'");
  }

  /**
   * Adds the definition to a descriptor under construction, or replaces the one of that name. It is
   * that table's from then on.
   */
  public static TableDescriptorBuilder put(
      TableDescriptorBuilder table, IndexDefinition definition) {
    TableName name = table.build().getTableName();
    return table.setValue(KEY_PREFIX + definition.name(), DefinitionJson.write(name, definition));
  }

  /** Removes the definition of that name, if there. */
  public static TableDescriptorBuilder remove(TableDescriptorBuilder table, String name) {
    return table.removeValue(Bytes.toBytes(KEY_PREFIX + name));
  }

  /** What clients of a table's indexes need of its descriptor: families and definitions. */
  public static TableDescriptor publicPart(TableDescriptor table) {
    TableDescriptorBuilder part =
        TableDescriptorBuilder.newBuilder(table.getTableName())
            .setColumnFamilies(List.of(table.getColumnFamilies()))
            .setDurability(table.getDurability());
    table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .forEach(e -> part.setValue(e.getKey(), e.getValue()));
    return part.build();
  }

  /** The names of a table's indexes, also of those whose definitions cannot be read here. */
  public static List<String> names(TableDescriptor table) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .map(e -> Bytes.toString(e.getKey().get()).substring(KEY_PREFIX.length()))
        .sorted()
        .toList();
  }

  private static boolean isDefinition(Map.Entry<Bytes, Bytes> value) {
    return Bytes.toString(value.getKey().get()).startsWith(KEY_PREFIX);
  }

  /**
   * The table that holds the index; empty if its strategy keeps none. One that is unknown here may
   * keep one.
   */
  public static Optional<TableName> indexTable(TableName base, IndexDefinition definition) {
    return Strategies.find(definition.strategy()).map(IndexStrategy::keepsTable).orElse(true)
        ? Optional.of(indexTable(base, definition.name()))
        : Optional.empty();
  }

  /** The name of the table that holds an index: {@code ns:table.index}. */
  public static TableName indexTable(TableName base, String index) {
    return TableName.valueOf(
        base.getNamespaceAsString(), base.getQualifierAsString() + "." + index);
  }
}
