package io.deli.client.internal;

import io.deli.client.IndexUnavailableException;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A snapshot of a base table's descriptor and indexes. Immutable.
 *
 * @param descriptor of the base table
 * @param indexes all of them, in whatever state, by name
 * @param asOf by the client's ticker, just before it asked
 */
public record KnownIndexes(TableDescriptor descriptor, List<Index> indexes, long asOf) {
  public KnownIndexes {
    indexes = List.copyOf(indexes);
  }

  /**
   * Resolves the definitions in a descriptor.
   *
   * @throws io.deli.index.InvalidIndexException if one is unreadable
   */
  public static KnownIndexes of(TableDescriptor descriptor, long asOf) {
    return new KnownIndexes(descriptor, Index.allOf(descriptor), asOf);
  }

  /** The same of a later descriptor of the table, whose definitions have mostly not changed. */
  KnownIndexes readAgain(TableDescriptor later, long laterAsOf) {
    return later.getValues().equals(descriptor.getValues())
        ? new KnownIndexes(later, indexes, laterAsOf)
        : of(later, laterAsOf);
  }

  public TableName base() {
    return descriptor.getTableName();
  }

  /** The indexes that every write of a client must keep, one for each generation. */
  public List<Index> maintained() {
    return maintained(Maintenance.CLIENT);
  }

  /** Whether region servers keep indexes, too. */
  public boolean hasServerMaintained() {
    return !maintained(Maintenance.SERVER).isEmpty();
  }

  private List<Index> maintained(Maintenance by) {
    return IndexDefinitions.maintained(indexes).stream()
        .filter(index -> index.definition().maintenance() == by)
        .toList();
  }

  /**
   * The indexes that writes must keep and that these definitions knew nothing of, or not as what
   * must be kept. One that was built again is another.
   */
  public List<Index> maintainedSince(KnownIndexes earlier) {
    List<IndexDefinition> known =
        earlier.maintained().stream().map(KnownIndexes::identity).toList();
    return maintained().stream().filter(index -> !known.contains(identity(index))).toList();
  }

  private static IndexDefinition identity(Index index) {
    return index.definition().withState(IndexState.ACTIVE);
  }

  /**
   * The index of that name, for reading.
   *
   * @param scanned whether the base table may be scanned in its place while its state forbids
   *     reading
   * @throws IndexUnavailableException if there is none, or its state forbids reading
   */
  public Index forReading(String name, boolean scanned) throws IndexUnavailableException {
    Index index = named(name);
    IndexState state = index.definition().state();
    if (state.readable()) {
      return index;
    }
    if (scanned) {
      return index.scanned();
    }
    throw new IndexUnavailableException(
        "index '%s' of table %s is %s and cannot be read. %s, or allow a scan of the table (allowScan(), --allow-scan)."
            .formatted(name, base(), state, remedy(state)));
  }

  private Index named(String name) throws IndexUnavailableException {
    for (Index index : indexes) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    List<String> names = indexes.stream().map(Index::name).toList();
    throw new IndexUnavailableException(
        "table %s has no index '%s'. %s."
            .formatted(
                base(), name, names.isEmpty() ? "Create one first" : "Its indexes are " + names));
  }

  private static String remedy(IndexState state) {
    return switch (state) {
      case DISABLED -> "Enable it, or rebuild it (deli build)";
      case DETACHED ->
          "It came with a snapshot of another table, without entries: build it (deli build)";
      default -> "Wait until it is built, or resume its build (deli build)";
    };
  }
}
