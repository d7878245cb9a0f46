package io.deli.client.internal.write;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/**
 * Stamps copies of mutations where the caller gave no timestamp. The caller's mutation is not
 * changed: it may be used again.
 */
final class Timestamps {
  private Timestamps() {}

  /** One that servers take, and HBase's asynchronous client refuses if it is told to be empty. */
  private static final class WithoutCells extends Put {
    WithoutCells(Put put) {
      super(put);
    }

    @Override
    public boolean isEmpty() {
      return false;
    }
  }

  static boolean isMissing(Cell cell) {
    return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP;
  }

  static Put stamped(Put put, LongSupplier timestamp) {
    Put copy = put.isEmpty() ? new WithoutCells(put) : new Put(put);
    copy.setDurability(put.getDurability());
    for (List<Cell> cells : copy.getFamilyCellMap().values()) {
      cells.replaceAll(cell -> isMissing(cell) ? at(timestamp.getAsLong(), cell) : cell);
    }
    return copy;
  }

  /**
   * A delete of the latest version of a column stays without a timestamp: the server looks for that
   * version. A delete without cells takes the whole row.
   */
  static Delete stamped(Delete delete, LongSupplier timestamp) {
    Delete copy = new Delete(delete);
    copy.setDurability(delete.getDurability());
    if (copy.isEmpty() && copy.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
      copy.setTimestamp(timestamp.getAsLong());
    }
    for (List<Cell> cells : copy.getFamilyCellMap().values()) {
      cells.replaceAll(
          cell ->
              isMissing(cell) && cell.getType() != Cell.Type.Delete
                  ? at(timestamp.getAsLong(), cell)
                  : cell);
    }
    return copy;
  }

  private static Cell at(long timestamp, Cell cell) {
    KeyValue stamped = KeyValueUtil.copyToNewKeyValue(cell);
    stamped.setTimestamp(timestamp);
    return stamped;
  }
}
