package io.deli.test.model;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What an HBase table answers, by the rules of its reference guide: versions by timestamp, delete
 * markers that hide by timestamp whatever was written first, and a major compaction that drops the
 * markers with what they hide. Written to be obviously right, not fast.
 */
final class ModelTable {
  private final Map<String, Integer> versionsByFamily;
  private final List<Column> columns;
  private final NavigableMap<byte[], ModelRow> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  ModelTable(Map<String, Integer> versionsByFamily, List<Column> columns) {
    this.versionsByFamily = Map.copyOf(versionsByFamily);
    this.columns = List.copyOf(columns);
  }

  private final class ModelRow {
    final Map<String, Markers> families = new HashMap<>();
    final Map<Column, ModelColumn> cells = new HashMap<>();

    ModelRow() {
      versionsByFamily.keySet().forEach(family -> families.put(family, new Markers()));
      for (Column column : columns) {
        String family = Bytes.toString(column.family());
        cells.put(column, new ModelColumn(versionsByFamily.get(family), families.get(family)));
      }
    }

    void apply(Cell cell, long stamp) {
      Column column = Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
      Markers family = families.get(Bytes.toString(column.family()));
      boolean unstamped = cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
      long timestamp = unstamped ? stamp : cell.getTimestamp();
      switch (cell.getType()) {
        case Put -> cells.get(column).put(timestamp, CellUtil.cloneValue(cell));
        case DeleteFamily -> family.hideUpTo(timestamp);
        case DeleteFamilyVersion -> family.hideExactly(timestamp);
        case DeleteColumn -> cells.get(column).hideUpTo(timestamp);
        case Delete -> hideOne(cells.get(column), cell.getTimestamp(), unstamped);
        default -> throw new IllegalArgumentException("not modelled: " + cell);
      }
    }

    /** Without a timestamp, the server looks for the newest version when the delete arrives. */
    private void hideOne(ModelColumn column, long timestamp, boolean newest) {
      if (newest) {
        column.visible(Long.MAX_VALUE, 1).forEach(v -> column.hideExactly(v.timestamp()));
      } else {
        column.hideExactly(timestamp);
      }
    }
  }

  /**
   * Carries out a mutation, row mutation or conditional one.
   *
   * @param stamp the timestamp of what has none
   * @return whether it was carried out, that is, its condition held
   */
  boolean apply(Row action, long stamp) {
    if (action instanceof CheckAndMutate conditional) {
      boolean holds = holds(conditional);
      if (holds) {
        apply(conditional.getAction(), stamp);
      }
      return holds;
    }
    if (action instanceof RowMutations mutations) {
      mutations.getMutations().forEach(each -> apply(each, stamp));
    } else if (action instanceof Mutation mutation) {
      apply(mutation, stamp);
    }
    return true;
  }

  private void apply(Mutation mutation, long stamp) {
    if (!(mutation instanceof Put || mutation instanceof Delete)) {
      throw new IllegalArgumentException("not modelled: " + mutation);
    }
    ModelRow row = rows.computeIfAbsent(mutation.getRow(), key -> new ModelRow());
    if (mutation.isEmpty()) {
      long own = mutation.getTimestamp();
      long timestamp = own == HConstants.LATEST_TIMESTAMP ? stamp : own;
      row.families.values().forEach(family -> family.hideUpTo(timestamp));
    }
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      cells.forEach(cell -> row.apply(cell, stamp));
    }
  }

  /** As HBase, it takes an empty value for none where a condition asks for none. */
  boolean holds(CheckAndMutate condition) {
    Column column = Column.of(condition.getFamily(), condition.getQualifier());
    List<Version> current = visible(condition.getRow(), column, Long.MAX_VALUE, 1);
    byte[] wanted = condition.getValue();
    boolean equal = condition.getCompareOp() == CompareOperator.EQUAL;
    if (wanted == null || wanted.length == 0) {
      boolean none = current.isEmpty() || current.get(0).value().length == 0;
      return none == equal;
    }
    return !current.isEmpty() && Arrays.equals(current.get(0).value(), wanted) == equal;
  }

  List<byte[]> rows() {
    return List.copyOf(rows.keySet());
  }

  List<Column> columns() {
    return columns;
  }

  int retained(Column column) {
    return versionsByFamily.get(Bytes.toString(column.family()));
  }

  List<Version> visible(byte[] row, Column column, long end, int most) {
    return column(row, column).map(c -> c.visible(end, most)).orElse(List.of());
  }

  boolean inDoubt(byte[] row, Column column, long end, int most) {
    return column(row, column).map(c -> c.inDoubt(end, most)).orElse(false);
  }

  /** See {@link ModelColumn#settle}. */
  boolean settle(byte[] row, Column column, long end, int most, List<Version> answer) {
    return column(row, column).map(c -> c.settle(end, most, answer)).orElse(answer.isEmpty());
  }

  /** All timestamps put in the column, hidden ones included. */
  List<Long> timestamps(byte[] row, Column column) {
    return column(row, column).map(ModelColumn::timestamps).orElse(List.of());
  }

  /** Whether the version was hidden until HBase dropped the marker. */
  boolean isRevived(byte[] row, Column column, long timestamp) {
    return column(row, column).filter(cells -> cells.isRevived(timestamp)).isPresent();
  }

  String describe(byte[] row, Column column) {
    return column(row, column).map(ModelColumn::toString).orElse("[]");
  }

  private Optional<ModelColumn> column(byte[] row, Column column) {
    return Optional.ofNullable(rows.get(row)).map(r -> r.cells.get(column));
  }

  /** Flush and major compaction of the whole table; nothing may be in doubt. */
  void compact() {
    for (ModelRow row : new ArrayList<>(rows.values())) {
      row.cells.values().forEach(ModelColumn::compact);
      row.families.values().forEach(Markers::purge);
    }
  }

  /** See {@link ModelColumn#recover}. */
  void recover() {
    rows.values().forEach(row -> row.cells.values().forEach(ModelColumn::recover));
  }
}
