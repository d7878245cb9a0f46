package io.deli.coprocessor.internal.servermaintained;

import io.deli.index.Column;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The columns that must not be written, since the region cannot maintain their indexes.
 *
 * @param columns and the reason
 */
record UnmaintainableColumns(TableName table, Map<Column, String> columns) {
  boolean isEmpty() {
    return columns.isEmpty();
  }

  /**
   * Refuses a mutation of such a column.
   *
   * @throws DoNotRetryIOException if it is one
   */
  void refuse(Mutation mutation) throws DoNotRetryIOException {
    for (Map.Entry<Column, String> each : columns.entrySet()) {
      for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
        if (cells.stream().anyMatch(each.getKey()::matches)) {
          throw refusal(each);
        }
      }
    }
  }

  /**
   * Refuses a file of a family with such a column.
   *
   * @throws DoNotRetryIOException if it is one
   */
  void refuse(byte[] family) throws DoNotRetryIOException {
    for (Map.Entry<Column, String> each : columns.entrySet()) {
      if (Bytes.equals(each.getKey().family(), family)) {
        throw refusal(each);
      }
    }
  }

  private DoNotRetryIOException refusal(Map.Entry<Column, String> column) {
    return new DoNotRetryIOException(
        "table %s: this region server cannot maintain the index of column %s: %s"
            .formatted(table, column.getKey(), column.getValue()));
  }
}
