package io.deli.client.internal.write;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;

/** What HBase's client asks of a Put; checked before the index is written. */
public record PutRules(int maxKeyValueSize) {
  /**
   * Checks a Put.
   *
   * @throws IllegalArgumentException as HBase's client does
   */
  void check(Put put) {
    if (put.isEmpty()) {
      throw new IllegalArgumentException("No columns to insert");
    }
    if (maxKeyValueSize > 0) {
      for (List<Cell> cells : put.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          if (cell.getSerializedSize() > maxKeyValueSize) {
            throw new IllegalArgumentException("KeyValue size too large");
          }
        }
      }
    }
  }
}
