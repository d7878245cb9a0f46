package io.deli.coprocessor.internal.guard;

import io.deli.index.IndexDefinitions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
final class RestoredTable {
  private final TableName name;
  private final Map<String, TableName> byIndex;
  private final Set<String> restored;

  private RestoredTable(TableName name, Map<String, TableName> byIndex, Set<String> restored) {
    this.name = name;
    this.byIndex = byIndex;
    this.restored = restored;
  }

  /**
   * The table as it will be and as it is.
   *
   * @param restored its descriptor in the snapshot
   * @param present what clients may go by until their lease is over; empty if there is no such
   *     table now
   */
  static RestoredTable of(TableDescriptor restored, Optional<TableDescriptor> present) {
    TableName name = restored.getTableName();
    Set<String> indexes = new TreeSet<>(Relied.inUse(restored));
    present.ifPresent(table -> indexes.addAll(Relied.inUse(table)));
    Map<String, TableName> byIndex = new TreeMap<>();
    for (String index : indexes) {
      indexTable(name, index).ifPresent(entries -> byIndex.put(index, entries));
    }
    return new RestoredTable(name, byIndex, Set.copyOf(IndexDefinitions.names(restored)));
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
  Collection<TableName> indexTables() {
    return List.copyOf(byIndex.values());
  }

  /**
   * Why the table must not come back now, and what to do; empty if it may.
   *
   * @param usable the index tables that are there and not disabled
   */
  Optional<String> refusal(Set<TableName> usable) {
    List<String> used =
        byIndex.entrySet().stream()
            .filter(index -> usable.contains(index.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    return used.isEmpty() ? Optional.empty() : Optional.of(refusal(used));
  }

  private String refusal(List<String> used) {
    return ("table %s would have rows again of which index %s may lack entries, and queries would"
            + " miss them in silence; nothing was changed. First %s; then restore or clone, enable"
            + " the table if it is not, and %s. Or restore the index tables as well, from snapshots"
            + " that were taken together with this one, before they are enabled")
        .formatted(
            name,
            each(used, "'%s'"::formatted),
            each(used, index -> "disable '%s'".formatted(byIndex.get(index))),
            each(used, this::afterwards));
  }

  private String afterwards(String index) {
    return restored.contains(index)
        ? "deli disable-index %s %s and deli build %s %s".formatted(name, index, name, index)
        : "deli drop-index %s %s, which the snapshot does not have".formatted(name, index);
  }

  private static String each(List<String> indexes, Function<String, String> text) {
    return indexes.stream().map(text).collect(Collectors.joining(", "));
  }
}
