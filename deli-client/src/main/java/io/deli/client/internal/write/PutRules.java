package io.deli.client.internal.write;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** Validates operations, and Puts as HBase's client does, before the index is written. */
public record PutRules(int maxKeyValueSize) {
  /** The rules of blocking batches and RowMutations, whose cells may have any size. */
  static final PutRules OF_SEVERAL = new PutRules(0);

  /**
   * Checks an operation and the Puts in it.
   *
   * @throws IllegalArgumentException as HBase's client does, and {@link #requireEncodable}
   */
  public void check(Row operation) {
    requireEncodable(operation);
    if (operation instanceof Put put) {
      check(put);
    } else if (operation instanceof RowMutations mutations) {
      mutations.getMutations().forEach(this::check);
    } else if (operation instanceof CheckAndMutate conditional) {
      check(conditional.getAction());
    }
  }

  /**
   * Checks that HBase's asynchronous client can encode the filter of an operation, if it has one:
   * else it would leave that unanswered, with all that shares its request.
   */
  static void requireEncodable(Row operation) {
    Filter filter =
        operation instanceof Get get
            ? get.getFilter()
            : operation instanceof CheckAndMutate conditional ? conditional.getFilter() : null;
    try {
      if (filter != null) {
        byte[] unused = filter.toByteArray();
      }
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "row '%s': nothing was written, for its filter %s cannot be encoded: see to what its toByteArray throws."
              .formatted(Bytes.toStringBinary(operation.getRow()), filter.getClass().getName()),
          e);
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
