package io.deli.coprocessor.internal.collect;

import io.deli.coprocessor.internal.send.IndexDelete;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/**
 * The deletes of one request to an index table, those of a row in one.
 *
 * @param owed what they are made of, in the same order
 */
record DeleteBatch(TableName table, List<IndexDelete> deletes, List<Owed> owed) {
  /**
   * The size limit of one row's delete, which may have an entry for every version of a base row.
   */
  private static final int CELLS_TOGETHER = 100;

  /**
   * The delete of one cell of an index table, for which a unit waits.
   *
   * @param marker the delete's only cell
   */
  record Owed(Cell marker, Unit unit) {}

  /**
   * @param owed sorted by row
   */
  static DeleteBatch of(TableName table, List<Owed> owed) {
    List<IndexDelete> deletes = new ArrayList<>();
    for (int from = 0, to; from < owed.size(); from = to) {
      to = end(owed, from);
      List<Cell> markers = new ArrayList<>(to - from);
      owed.subList(from, to).forEach(each -> markers.add(each.marker()));
      deletes.add(new IndexDelete(table, markers, HConstants.PRIORITY_UNSET));
    }
    return new DeleteBatch(table, deletes, owed);
  }

  /** Behind what goes together from there on. */
  private static int end(List<Owed> owed, int from) {
    int end = from + 1;
    while (end < Math.min(owed.size(), from + CELLS_TOGETHER)
        && CellUtil.matchingRows(owed.get(from).marker(), owed.get(end).marker())) {
      end++;
    }
    return end;
  }

  /** Has the units of what is acknowledged wait no more; returns the others. */
  List<Owed> settle() {
    List<Owed> left = new ArrayList<>();
    int from = 0;
    for (IndexDelete delete : deletes) {
      List<Owed> ofDelete = owed.subList(from, from += delete.cells());
      if (delete.isAcknowledged()) {
        ofDelete.forEach(each -> each.unit().settle());
      } else {
        left.addAll(ofDelete);
      }
    }
    return left;
  }
}
