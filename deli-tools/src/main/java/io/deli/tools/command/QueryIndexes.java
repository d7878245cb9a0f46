package io.deli.tools.command;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.ValueType;
import io.deli.query.Condition.OnIndex;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.Failure;
import io.deli.tools.output.Texts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The indexes that a query may name, for encoding its operands. */
final class QueryIndexes {
  private final TableName table;
  private final ColumnTypes columns;
  private final Map<String, IndexDefinition> byName = new TreeMap<>();

  QueryIndexes(TableDescriptor table, ColumnTypes columns) {
    this.table = table.getTableName();
    this.columns = columns;
    IndexDefinitions.of(table).forEach(index -> byName.put(index.name(), index));
  }

  /** Encodes an operand; a column's, of a partial index's condition, as {@code --where} does. */
  byte[] encode(String index, String text) {
    return index.indexOf(':') >= 0
        ? columns.encode(Column.parse(index), text)
        : encode(index, 0, text);
  }

  byte[] encode(String index, int column, String text) {
    IndexDefinition definition = byName.get(index);
    if (definition == null) {
      throw Failure.of(
          byName.isEmpty()
              ? "table %s has no index: 'deli create-index' makes one".formatted(table)
              : "table %s has no index '%s': use one of %s"
                  .formatted(table, index, byName.keySet()));
    }
    if (column >= definition.columns().size()) {
      throw Failure.usage(
          "index '%s' is on %s: --leading gives values of columns before the last, and the condition is on the next"
              .formatted(index, definition.columnNames()));
    }
    try {
      return Texts.encode(definition.columns().get(column).type(), text);
    } catch (InvalidIndexException e) {
      throw Failure.usage("index '" + index + "': " + e.getMessage());
    }
  }

  /** The types of the hits' values, one for each column, if all alternatives agree on them. */
  Optional<List<ValueType>> types(ValueQuery query) {
    List<List<ValueType>> types =
        query.condition().disjuncts().stream()
            .flatMap(conjunct -> conjunct.stream().filter(each -> !each.isOfColumn()).limit(1))
            .map(OnIndex::index)
            .map(name -> byName.get(name).columns().stream().map(KeyColumn::type).toList())
            .distinct()
            .toList();
    return types.size() == 1 ? Optional.of(types.get(0)) : Optional.empty();
  }
}
