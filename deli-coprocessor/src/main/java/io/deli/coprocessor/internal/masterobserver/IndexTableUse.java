package io.deli.coprocessor.internal.masterobserver;

import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Tells which indexes of a table use which index tables. */
final class IndexTableUse {
  private IndexTableUse() {}

  /**
   * The tables of the indexes that clients keep or use, and the checkpoints of builds that go on,
   * by name of the index; of one that cannot be read here, that of the first generation.
   */
  static Map<String, Set<TableName>> inUse(TableDescriptor table) {
    Map<String, Set<TableName>> tables = new TreeMap<>();
    for (String index : IndexDefinitions.names(table)) {
      Set<TableName> names;
      try {
        names = new TreeSet<>(tables(table, index, IndexState::maintained));
        if (!names.isEmpty() && isBeingBuilt(table, index)) {
          first(table.getTableName(), index)
              .map(IndexDefinitions::checkpointTable)
              .ifPresent(names::add);
        }
      } catch (InvalidIndexException e) {
        names = first(table.getTableName(), index).map(Set::of).orElse(Set.of());
      }
      if (!names.isEmpty()) {
        tables.put(index, names);
      }
    }
    return tables;
  }

  private static boolean isBeingBuilt(TableDescriptor table, String index) {
    return IndexDefinitions.named(table, index)
        .filter(definition -> definition.state() == IndexState.BUILDING || definition.beside() > 0)
        .isPresent();
  }

  /** A master must not end by the name of what is no definition; no table can have such a name. */
  private static Optional<TableName> first(TableName base, String index) {
    try {
      return Optional.of(IndexDefinitions.indexTable(base, index));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether clients keep or use an index with its table. What cannot be read here may be it. */
  static boolean isInUse(TableDescriptor table, IndexTable index) {
    return has(table, index, IndexState::maintained);
  }

  /** Whether clients may come to use an index with what its table holds, or how that is made. */
  static boolean isMade(TableDescriptor table, IndexTable index) {
    return has(table, index, state -> state != IndexState.DETACHED);
  }

  /**
   * The tables that queries read after an alteration, and that nobody has kept so far: of indexes
   * that are not in use, have another table by now, or lack rows until a build is done. What cannot
   * be read here is none, nor is that of an index which the alteration leaves being built.
   */
  static List<IndexTable> neglected(TableDescriptor present, TableDescriptor altered) {
    TableName base = altered.getTableName();
    return IndexDefinitions.names(altered).stream()
        .flatMap(index -> read(altered, index).map(name -> new IndexTable(name, base, index)))
        .filter(table -> !isInUse(present, table) || isOfEarlierBuild(altered, present, table))
        .toList();
  }

  /** Completing an index keeps the id of its build; an older definition has another, or none. */
  private static boolean isOfEarlierBuild(
      TableDescriptor altered, TableDescriptor present, IndexTable table) {
    try {
      Optional<IndexDefinition> unread =
          IndexDefinitions.named(present, table.index())
              .filter(definition -> definition.state() == IndexState.BUILDING);
      return unread.isPresent()
          && !build(unread).equals(build(IndexDefinitions.named(altered, table.index())));
    } catch (InvalidIndexException e) {
      return false;
    }
  }

  private static Optional<String> build(Optional<IndexDefinition> definition) {
    return definition.map(each -> each.options().get(IndexDefinition.BUILD));
  }

  private static Stream<TableName> read(TableDescriptor table, String index) {
    try {
      return IndexDefinitions.named(table, index)
          .filter(definition -> definition.state().readable())
          .flatMap(definition -> IndexDefinitions.indexTable(table.getTableName(), definition))
          .stream();
    } catch (InvalidIndexException e) {
      return Stream.empty();
    }
  }

  private static boolean has(
      TableDescriptor table, IndexTable index, Predicate<IndexState> states) {
    try {
      return tables(table, index.index(), states).contains(index.name());
    } catch (InvalidIndexException e) {
      return true;
    }
  }

  private static Set<TableName> tables(
      TableDescriptor table, String index, Predicate<IndexState> states) {
    return IndexDefinitions.named(table, index)
        .filter(definition -> states.test(definition.state()))
        .map(definition -> IndexDefinitions.indexTables(table.getTableName(), definition))
        .map(Set::copyOf)
        .orElse(Set.of());
  }
}
