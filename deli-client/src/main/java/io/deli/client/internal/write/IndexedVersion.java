package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/** A version that a mutation writes to the base table, and the Puts of its entries. */
public record IndexedVersion(Index index, BaseVersion version, Mutation origin, List<Put> puts) {
  /**
   * Makes the entries of a version.
   *
   * @throws WriteRefusedException if the index cannot hold the value
   */
  static IndexedVersion of(Index index, BaseVersion version, Mutation origin)
      throws WriteRefusedException {
    try {
      return new IndexedVersion(index, version, origin, index.write(version, origin));
    } catch (InvalidIndexException e) {
      throw new WriteRefusedException(e.getMessage(), e);
    }
  }

  /** Returns the version with entries under another write id. */
  IndexedVersion withWriteId(WriteId id) throws WriteRefusedException {
    return of(
        index, new BaseVersion(version.key(), version.value(), version.timestamp(), id), origin);
  }

  /** Whether it is the version in a cell. */
  boolean isIn(Cell cell) {
    return cell.getType() == Cell.Type.Put
        && index.column().matches(cell)
        && cell.getTimestamp() == version.timestamp()
        && CellUtil.matchingValue(cell, version.value());
  }

  /** Returns the deletes of exactly these entries. */
  List<Delete> deletes() {
    return index.retract(version);
  }
}
