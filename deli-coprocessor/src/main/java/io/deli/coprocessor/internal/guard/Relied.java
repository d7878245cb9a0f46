package io.deli.coprocessor.internal.guard;

import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The indexes of a table that keep a table of their own. What cannot be read here may be one. */
final class Relied {
  private Relied() {}

  /** Those that clients keep or use, by name. */
  static List<String> inUse(TableDescriptor table) {
    return names(table, IndexState::maintained);
  }

  /** Those that clients may come to use with what their tables hold, or how these are made. */
  static List<String> made(TableDescriptor table) {
    return names(table, state -> state != IndexState.DETACHED);
  }

  private static List<String> names(TableDescriptor table, Predicate<IndexState> states) {
    try {
      return IndexDefinitions.of(table).stream()
          .filter(index -> states.test(index.state()))
          .filter(index -> IndexDefinitions.indexTable(table.getTableName(), index).isPresent())
          .map(IndexDefinition::name)
          .toList();
    } catch (InvalidIndexException e) {
      return IndexDefinitions.names(table);
    }
  }
}
