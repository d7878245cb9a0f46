package io.deli.strategy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.internal.DefinitionJson;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads and writes the index definitions in a base table's descriptor. */
public final class IndexDefinitions {
  private static final String KEY_PREFIX = "deli.index.";

  /** Prefix of the keys that keep an index's last generation, also after the index is dropped. */
  private static final String GENERATION_PREFIX = "deli.generation.";

  private IndexDefinitions() {}

  /**
   * Reads all definitions of a table, by name; empty for a table without indexes. Definitions that
   * a snapshot brought from another table are {@link IndexState#DETACHED}.
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
   * Reads the definition of that name; empty if there is none.
   *
   * @throws InvalidIndexException if it is unreadable or of a newer version
   */
  public static Optional<IndexDefinition> named(TableDescriptor table, String name) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .filter(e -> name(e).equals(name))
        .findFirst()
        .map(e -> read(table.getTableName(), e));
  }

  /**
   * The columns with indexes that region servers are to maintain, as far as that can be told; also
   * of definitions that are of a newer version.
   */
  public static Set<Column> serverMaintainedColumns(TableDescriptor table) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .map(e -> Bytes.toString(e.getValue().get()))
        .flatMap(json -> DefinitionJson.serverMaintainedColumn(table.getTableName(), json).stream())
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
    TableDescriptor before = table.build();
    return remember(table, definition.name(), lastGeneration(before, definition.name()))
        .setValue(
            KEY_PREFIX + definition.name(),
            DefinitionJson.write(before.getTableName(), definition));
  }

  /** Removes the definition of that name, if there; the generations that it had are remembered. */
  public static TableDescriptorBuilder remove(TableDescriptorBuilder table, String name) {
    return remember(table, name, lastGeneration(table.build(), name))
        .removeValue(Bytes.toBytes(KEY_PREFIX + name));
  }

  private static TableDescriptorBuilder remember(
      TableDescriptorBuilder table, String name, int generation) {
    return generation == 0
        ? table
        : table.setValue(GENERATION_PREFIX + name, String.valueOf(generation));
  }

  /**
   * The last generation that an index of that name has had in the table; 0 if there was none with a
   * table of its own, or of an earlier release and dropped by it.
   */
  public static int lastGeneration(TableDescriptor table, String name) {
    int last = remembered(table.getValue(GENERATION_PREFIX + name));
    String present = table.getValue(KEY_PREFIX + name);
    if (present == null) {
      return last;
    }
    IndexDefinition definition;
    try {
      definition = DefinitionJson.read(table.getTableName(), present, name);
    } catch (InvalidIndexException e) {
      // Whoever replaces what cannot be read knows no better.
      return last;
    }
    return indexTable(table.getTableName(), definition).isPresent()
        ? Math.max(last, Math.max(definition.generation(), definition.beside()))
        : last;
  }

  private static int remembered(String value) {
    try {
      return value == null ? 0 : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A text that tells a definition from all others, whatever its state; the same at any time. */
  public static String identity(TableName table, IndexDefinition definition) {
    return DefinitionJson.write(table, definition.withState(IndexState.ACTIVE));
  }

  /** The indexes among these whose entries must be written, one for each generation. */
  public static List<Index> maintained(List<Index> indexes) {
    return indexes.stream()
        .filter(index -> index.definition().state().maintained())
        .filter(index -> index.strategy().keepsTable())
        .flatMap(index -> index.generations().stream())
        .toList();
  }

  /**
   * Returns the part of a descriptor that clients need: families and definitions, without settings
   * and keys of encryption.
   */
  public static TableDescriptor publicPart(TableDescriptor table) {
    TableDescriptorBuilder part =
        TableDescriptorBuilder.newBuilder(table.getTableName())
            .setDurability(table.getDurability());
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      part.setColumnFamily(publicPart(family));
    }
    table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .forEach(e -> part.setValue(e.getKey(), e.getValue()));
    return part.build();
  }

  private static ColumnFamilyDescriptor publicPart(ColumnFamilyDescriptor family) {
    ColumnFamilyDescriptorBuilder part = ColumnFamilyDescriptorBuilder.newBuilder(family.getName());
    Bytes key = new Bytes(Bytes.toBytes(ColumnFamilyDescriptorBuilder.ENCRYPTION_KEY));
    family.getValues().entrySet().stream()
        .filter(value -> !value.getKey().equals(key))
        .forEach(value -> part.setValue(value.getKey(), value.getValue()));
    return part.build();
  }

  /** The names of a table's indexes, also of those whose definitions cannot be read here. */
  public static List<String> names(TableDescriptor table) {
    return table.getValues().entrySet().stream()
        .filter(IndexDefinitions::isDefinition)
        .map(IndexDefinitions::name)
        .sorted()
        .toList();
  }

  private static String name(Map.Entry<Bytes, Bytes> value) {
    return Bytes.toString(value.getKey().get()).substring(KEY_PREFIX.length());
  }

  private static boolean isDefinition(Map.Entry<Bytes, Bytes> value) {
    return Bytes.toString(value.getKey().get()).startsWith(KEY_PREFIX);
  }

  /**
   * The table that holds what is read of the index; empty if its strategy keeps none. One that is
   * unknown here may keep one.
   */
  public static Optional<TableName> indexTable(TableName base, IndexDefinition definition) {
    return Strategies.find(definition.strategy()).map(IndexStrategy::keepsTable).orElse(true)
        ? Optional.of(indexTable(base, definition.name(), definition.generation()))
        : Optional.empty();
  }

  /** The tables that hold the generations of the index; none if its strategy keeps none. */
  public static List<TableName> indexTables(TableName base, IndexDefinition definition) {
    return definition.generations().stream()
        .flatMap(generation -> indexTable(base, generation).stream())
        .toList();
  }

  /** The name of the table that holds the first generation: {@code ns:table.index}. */
  public static TableName indexTable(TableName base, String index) {
    return indexTable(base, index, 1);
  }

  /** The name of the table that holds a generation: {@code ns:table.index.generation}. */
  public static TableName indexTable(TableName base, String index, int generation) {
    String name = base.getQualifierAsString() + "." + index;
    return TableName.valueOf(
        base.getNamespaceAsString(), generation == 1 ? name : name + "." + generation);
  }

  /**
   * The name of the table that records how far a build of an index is: {@code
   * ns:table.index.build}.
   *
   * @param first the table that holds the first generation
   */
  public static TableName checkpointTable(TableName first) {
    return TableName.valueOf(first.getNamespaceAsString(), first.getQualifierAsString() + ".build");
  }
}
