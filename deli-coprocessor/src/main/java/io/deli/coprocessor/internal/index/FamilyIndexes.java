package io.deli.coprocessor.internal.index;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;

/**
 * The indexes on columns of one family whose entries are taken out when versions are dropped.
 *
 * @param indexes those that can be kept
 * @param unresolved columns with an index that cannot, for want of its tokenizer or strategy
 * @param everything whether any column might be indexed, by a definition that cannot be read
 */
public record FamilyIndexes(List<Index> indexes, List<Column> unresolved, boolean everything) {
  /** No index. */
  public static final FamilyIndexes NONE = new FamilyIndexes(List.of(), List.of(), false);

  /** Whether the cell is a version of a column that is, or may be, indexed. */
  public boolean covers(Cell cell) {
    return hasIndex(cell) || mayHaveAnother(cell);
  }

  /** Whether the cell is a version whose entries can be found here, to be deleted with it. */
  public boolean collects(Cell cell) {
    return hasIndex(cell) && !mayHaveAnother(cell);
  }

  private boolean hasIndex(Cell cell) {
    return indexes.stream().anyMatch(index -> index.column().matches(cell));
  }

  /** Of an index that cannot be kept here. */
  private boolean mayHaveAnother(Cell cell) {
    return everything || unresolved.stream().anyMatch(column -> column.matches(cell));
  }

  /**
   * The deletes of a dying version's entries, without those that are entries of a twin, too.
   *
   * @param twins versions that stay, of the same row, column and timestamp
   * @throws IllegalStateException if an index of the column cannot be kept here
   * @throws RuntimeException whatever a tokenizer throws
   */
  public List<Map.Entry<TableName, Delete>> deletes(Cell dying, List<Cell> twins) {
    if (mayHaveAnother(dying)) {
      throw new IllegalStateException("an index of this column cannot be used here");
    }
    BaseVersion version = version(dying);
    List<BaseVersion> staying =
        twins.stream()
            .map(FamilyIndexes::version)
            .filter(twin -> twin.writeId().equals(version.writeId()))
            .toList();
    List<Map.Entry<TableName, Delete>> deletes = new ArrayList<>();
    for (Index index : indexes) {
      if (index.column().matches(dying)) {
        deletes(index, version, staying).forEach(d -> deletes.add(Map.entry(index.table(), d)));
      }
    }
    return deletes;
  }

  private static Stream<Delete> deletes(Index index, BaseVersion dying, List<BaseVersion> staying) {
    List<Delete> deletes = index.retract(dying);
    if (staying.isEmpty()) {
      return deletes.stream();
    }
    TreeSet<Cell> spared = new TreeSet<>(CellComparator.getInstance());
    staying.stream()
        .flatMap(twin -> index.retract(twin).stream())
        .flatMap(FamilyIndexes::cells)
        .forEach(spared::add);
    return deletes.stream().filter(delete -> cells(delete).noneMatch(spared::contains));
  }

  private static Stream<Cell> cells(Delete delete) {
    return delete.getFamilyCellMap().values().stream().flatMap(List::stream);
  }

  private static BaseVersion version(Cell cell) {
    return BaseVersion.of(cell, WriteId.of(cell));
  }
}
