package io.deli.client.internal.write;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/** Validates Puts as HBase's client does, before the index is written. */
public record PutRules(int maxKeyValueSize) {
  /** The rules of blocking batches and RowMutations, whose cells may have any size. */
  static final PutRules OF_SEVERAL = new PutRules(0);

  /**
   * Checks the Puts in an operation.
   *
   * @throws IllegalArgumentException as HBase's client does
   */
  public void check(Row operation) {
    if (operation instanceof Put put) {
      check(put);
    } else if (operation instanceof RowMutations mutations) {
      mutations.getMutations().forEach(this::check);
    } else if (operation instanceof CheckAndMutate conditional) {
      check(conditional.getAction());
    }
  }

  private void check(Put put) {
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
