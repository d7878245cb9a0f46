package io.deli.test.model;

import io.deli.index.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A write: actions, and the call of HBase's API that makes them.
 *
 * @param actions Puts, Deletes, RowMutations and CheckAndMutates, in the order in which they count
 */
record Operation(String name, List<Row> actions, Sending sending) {
  static final String BUFFERED = "BufferedMutator";

  /** A call of HBase's API. */
  @FunctionalInterface
  interface Sending {
    /** Returns whether the condition held, if there was one. */
    Optional<Boolean> send(Connection connection, Table table)
        throws IOException, InterruptedException;
  }

  /** Whether mutations are stamped when they are sent, whatever was drawn to check them before. */
  boolean isBuffered() {
    return name.equals(BUFFERED);
  }

  /** Whether the client must draw a timestamp for the action. */
  static boolean needsStamp(Row action) {
    if (action instanceof CheckAndMutate conditional) {
      return needsStamp(conditional.getAction());
    }
    if (action instanceof RowMutations mutations) {
      return mutations.getMutations().stream().anyMatch(Operation::needsStamp);
    }
    Mutation mutation = (Mutation) action;
    return mutation.isEmpty()
        ? mutation.getTimestamp() == HConstants.LATEST_TIMESTAMP
        : mutation.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .anyMatch(Operation::needsStamp);
  }

  private static boolean needsStamp(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP && cell.getType() != Cell.Type.Delete;
  }

  /** Whether the action writes, or may hide, one of the columns. */
  static boolean concerns(Row action, Set<Column> columns) {
    if (action instanceof CheckAndMutate conditional) {
      return concerns(conditional.getAction(), columns);
    }
    if (action instanceof RowMutations mutations) {
      return mutations.getMutations().stream().anyMatch(each -> concerns(each, columns));
    }
    Mutation mutation = (Mutation) action;
    return mutation.isEmpty()
        || mutation.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .anyMatch(cell -> columns.stream().anyMatch(column -> concerns(cell, column)));
  }

  private static boolean concerns(Cell cell, Column column) {
    return switch (cell.getType()) {
      case DeleteFamily, DeleteFamilyVersion -> CellUtil.matchingFamily(cell, column.family());
      default -> column.matches(cell);
    };
  }

  /** What the operation does to each row, as text. */
  NavigableMap<byte[], String> byRow(IdentityHashMap<Row, Long> stamps) {
    NavigableMap<byte[], List<String>> lines = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Row action : actions) {
      String stamp = stamps.containsKey(action) ? " stamped " + stamps.get(action) : "";
      lines
          .computeIfAbsent(action.getRow(), row -> new ArrayList<>())
          .add(describe(action) + stamp);
    }
    NavigableMap<byte[], String> texts = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    lines.forEach((row, list) -> texts.put(row, name + ": " + String.join("; ", list)));
    return texts;
  }

  private static String describe(Row action) {
    if (action instanceof CheckAndMutate conditional) {
      return "if %s:%s %s '%s' then %s"
          .formatted(
              Bytes.toStringBinary(conditional.getFamily()),
              Bytes.toStringBinary(conditional.getQualifier()),
              conditional.getCompareOp(),
              Bytes.toStringBinary(conditional.getValue()),
              describe(conditional.getAction()));
    }
    StringJoiner text = new StringJoiner(", ");
    if (action instanceof RowMutations mutations) {
      mutations.getMutations().forEach(each -> text.add(describe(each)));
    } else if (action instanceof Mutation mutation) {
      text.add(mutation.getClass().getSimpleName() + at(mutation.getTimestamp()));
      mutation
          .getFamilyCellMap()
          .values()
          .forEach(cells -> cells.forEach(cell -> text.add(describe(cell))));
    }
    return text.toString();
  }

  private static String describe(Cell cell) {
    return "%s:%s %s '%s'%s"
        .formatted(
            Bytes.toStringBinary(CellUtil.cloneFamily(cell)),
            Bytes.toStringBinary(CellUtil.cloneQualifier(cell)),
            cell.getType(),
            Bytes.toStringBinary(CellUtil.cloneValue(cell)),
            at(cell.getTimestamp()));
  }

  private static String at(long timestamp) {
    return timestamp == HConstants.LATEST_TIMESTAMP ? "" : "@" + timestamp;
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("\n    ", name + "\n    ", "");
    actions.forEach(a -> text.add(Bytes.toStringBinary(a.getRow()) + ": " + describe(a)));
    return text.toString();
  }
}
