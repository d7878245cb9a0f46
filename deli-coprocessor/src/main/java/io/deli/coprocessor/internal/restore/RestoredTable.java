package io.deli.coprocessor.internal.restore;

import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.InvalidIndexException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A table that is about to come back from a snapshot. Immutable.
 *
 * <p>It has versions again that were superseded or deleted since, and whose entries may have been
 * collected or repaired away. So nobody may use its indexes as if nothing had happened: their
 * tables must be disabled or gone. Then writes and queries are refused until the indexes are built
 * anew, or the index tables have come back as well.
 */
public final class RestoredTable {
  private final TableName name;
  private final Map<String, TableName> byIndex;

  private RestoredTable(TableName name, Map<String, TableName> byIndex) {
    this.name = name;
    this.byIndex = byIndex;
  }

  /** The table as it will be, by its descriptor in the snapshot. */
  public static RestoredTable of(TableDescriptor table) {
    Map<String, TableName> byIndex = new TreeMap<>();
    for (String index : relied(table)) {
      indexTable(table.getTableName(), index).ifPresent(entries -> byIndex.put(index, entries));
    }
    return new RestoredTable(table.getTableName(), byIndex);
  }

  /** The indexes that clients will keep or use; what cannot be read here may be one. */
  private static List<String> relied(TableDescriptor table) {
    try {
      return IndexDefinitions.of(table).stream()
          .filter(index -> index.state().maintained())
          .filter(index -> IndexDefinitions.indexTable(table.getTableName(), index).isPresent())
          .map(IndexDefinition::name)
          .toList();
    } catch (InvalidIndexException e) {
      return IndexDefinitions.names(table);
    }
  }

  /** A master must not end by the name of what is no definition; no table can have such a name. */
  private static Optional<TableName> indexTable(TableName base, String index) {
    try {
      return Optional.of(IndexDefinitions.indexTable(base, index));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The tables whose state decides. */
  public Collection<TableName> indexTables() {
    return List.copyOf(byIndex.values());
  }

  /**
   * Why the table must not come back now, and what to do; empty if it may.
   *
   * @param usable the index tables that are there and not disabled
   */
  public Optional<String> refusal(Set<TableName> usable) {
    List<String> used =
        byIndex.entrySet().stream()
            .filter(index -> usable.contains(index.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    return used.isEmpty() ? Optional.empty() : Optional.of(refusal(used));
  }

  private String refusal(List<String> used) {
    return ("table %s would have rows again of which index %s may lack entries, and queries would"
            + " miss them in silence; nothing was changed. First %s; then restore or clone, %s,"
            + " enable the table if it is not, and %s. Or restore the index tables as well, from"
            + " snapshots that were taken together with this one, before they are enabled")
        .formatted(
            name,
            each(used, "'%s'"::formatted),
            each(used, index -> "disable '%s'".formatted(byIndex.get(index))),
            each(used, index -> "deli disable-index %s %s".formatted(name, index)),
            each(used, index -> "deli build %s %s".formatted(name, index)));
  }

  private static String each(List<String> indexes, Function<String, String> text) {
    return indexes.stream().map(text).collect(Collectors.joining(", "));
  }
}
