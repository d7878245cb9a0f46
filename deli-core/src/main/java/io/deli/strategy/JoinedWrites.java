package io.deli.strategy;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Refuses the mutations that would pair versions of several columns which were not written
 * together, of which an index on these columns has no entry.
 *
 * <p>What is left writes the columns' versions together and, as time to live, labels and the
 * family's rules are the same for all cells of a mutation, has them superseded and expire together.
 * A delete of all versions up to a time shows nothing that was hidden, in none of the columns; so
 * it may be of some of them, whose row then has no value. Others may show an older version of one
 * column beside a newer one of the next.
 */
public final class JoinedWrites {
  private final Index index;
  private final KeyColumns columns;
  private final byte[] family;

  private JoinedWrites(Index index) {
    this.index = index;
    this.columns = index.key();
    this.family = index.column().family();
  }

  /** Returns why a mutation must not be applied; empty if it may. */
  public static Optional<String> refusal(Index index, Mutation mutation) {
    return index.key().areJoined() ? new JoinedWrites(index).refusal(mutation) : Optional.empty();
  }

  private Optional<String> refusal(Mutation mutation) {
    List<Cell> cells =
        mutation.getFamilyCellMap().getOrDefault(family, List.of()).stream()
            .filter(
                cell -> columns.include(cell) || cell.getType() == Cell.Type.DeleteFamilyVersion)
            .toList();
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> problem =
        mutation instanceof Put
            ? partial(cells)
            : mutation instanceof Delete
                ? exposing(cells, mutation)
                : Optional.of(
                    "%s on column %s computes a value that is not known before it is written. Put all columns by checkAndMutate."
                        .formatted(mutation.getClass().getSimpleName(), column(cells.get(0))));
    return problem.map(
        text ->
            "table %s, row '%s', index '%s' on several columns: %s"
                .formatted(
                    index.baseTable(),
                    Bytes.toStringBinary(mutation.getRow()),
                    index.name(),
                    text));
  }

  /** A Put needs exactly one cell of each column for each timestamp. */
  private Optional<String> partial(List<Cell> cells) {
    Map<Long, List<Column>> byTime = new TreeMap<>();
    for (Cell cell : cells) {
      byTime.computeIfAbsent(cell.getTimestamp(), t -> new ArrayList<>()).add(column(cell));
    }
    for (List<Column> written : byTime.values()) {
      List<Column> missing = new ArrayList<>(columns.all());
      missing.removeAll(written);
      if (!missing.isEmpty()) {
        return Optional.of(
            byTime.size() > 1
                ? "its columns have different timestamps. Give all of them one timestamp."
                : "column %s is put without %s. Put all columns of the index together, or none."
                    .formatted(written.get(0), missing.get(0)));
      }
      if (written.size() > columns.all().size()) {
        return Optional.of("a column is put twice with one timestamp. Put each once.");
      }
    }
    return Optional.empty();
  }

  private Optional<String> exposing(List<Cell> markers, Mutation delete) {
    boolean labelled = delete.getAttribute(VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY) != null;
    for (Cell marker : markers) {
      boolean ofColumn = marker.getType() == Cell.Type.DeleteColumn;
      if (ofColumn && labelled) {
        return Optional.of(
            "a delete of column %s by visibility labels may show an older version. Delete the family (addFamily)."
                .formatted(column(marker)));
      }
      if (!ofColumn && marker.getType() != Cell.Type.DeleteFamily) {
        return Optional.of(
            "the delete of a single version may show an older one. Delete all versions (addColumns,"
                + " addFamily).");
      }
    }
    return Optional.empty();
  }

  private static Column column(Cell cell) {
    return Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
  }
}
