package io.deli.coprocessor.internal.masterobserver;

import io.deli.strategy.IndexDefinitions;
import java.util.Collection;
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
 * A table that is about to be restored from a snapshot. Immutable.
 *
 * <p>It has versions again that were superseded or deleted since, and whose entries may have been
 * collected or repaired away. So nobody may use its indexes as if nothing had happened: their
 * tables must be disabled or gone. Then writes and queries are refused until the indexes are built
 * anew, or the index tables have come back as well. So must the checkpoint of a build that was
 * under way, for the build may have come further since; one that finds it disabled begins anew.
 */
record RestoredTable(TableName name, Map<String, Set<TableName>> byIndex, Set<String> restored) {
  /**
   * The table as it will be and as it is.
   *
   * @param restored its descriptor in the snapshot
   * @param present what clients may go by until their lease is over; empty if there is no such
   *     table now
   */
  static RestoredTable of(TableDescriptor restored, Optional<TableDescriptor> present) {
    Map<String, Set<TableName>> byIndex = new TreeMap<>(IndexTableUse.inUse(restored));
    present.ifPresent(
        table ->
            IndexTableUse.inUse(table)
                .forEach((index, tables) -> byIndex.merge(index, tables, RestoredTable::both)));
    return new RestoredTable(
        restored.getTableName(), byIndex, Set.copyOf(IndexDefinitions.names(restored)));
  }

  private static Set<TableName> both(Set<TableName> some, Set<TableName> others) {
    Set<TableName> both = new TreeSet<>(some);
    both.addAll(others);
    return both;
  }

  /** The tables on whose state it depends. */
  Collection<TableName> indexTables() {
    return byIndex.values().stream().flatMap(Set::stream).toList();
  }

  /**
   * The reason why the table must not be restored now, and the remedy; empty if it may.
   *
   * @param usable those of {@link #indexTables} that are there and not disabled
   */
  Optional<String> refusal(Set<TableName> usable) {
    Map<String, Set<TableName>> used = new TreeMap<>();
    byIndex.forEach(
        (index, tables) -> {
          Set<TableName> ofIndex = new TreeSet<>(tables);
          ofIndex.retainAll(usable);
          if (!ofIndex.isEmpty()) {
            used.put(index, ofIndex);
          }
        });
    return used.isEmpty() ? Optional.empty() : Optional.of(refusal(used));
  }

  private String refusal(Map<String, Set<TableName>> used) {
    return ("table %s would have rows again of which index %s may lack entries, and queries would"
            + " miss them in silence; nothing was changed. First %s; then restore or clone, enable"
            + " the table if it is not, and %s. Or restore the index tables as well, from snapshots"
            + " that were taken together with this one, before they are enabled")
        .formatted(
            name,
            each(used.keySet(), "'%s'"::formatted),
            each(
                used.values().stream().flatMap(Set::stream).map(TableName::toString).toList(),
                "disable '%s'"::formatted),
            each(used.keySet(), this::afterwards));
  }

  private String afterwards(String index) {
    return restored.contains(index)
        ? "deli disable-index %s %s and deli build %s %s".formatted(name, index, name, index)
        : "deli drop-index %s %s, which the snapshot does not have".formatted(name, index);
  }

  private static String each(Collection<String> indexes, Function<String, String> text) {
    return indexes.stream().map(text).collect(Collectors.joining(", "));
  }
}
