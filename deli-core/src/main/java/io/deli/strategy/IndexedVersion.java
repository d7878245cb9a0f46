package io.deli.strategy;

import io.deli.entry.WriteId;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/**
 * A version that a mutation writes to the base table, with the Puts of its entries in one index.
 *
 * @param origin the mutation, from which the Puts take priority and durability
 */
public record IndexedVersion(Index index, BaseVersion version, Mutation origin, List<Put> puts) {
  /**
   * Makes the entries of a version.
   *
   * @throws io.deli.index.InvalidIndexException if the index cannot hold the value
   */
  public static IndexedVersion of(Index index, BaseVersion version, Mutation origin) {
    return new IndexedVersion(index, version, origin, index.write(version, origin));
  }

  /** Returns the version with entries under another write id. */
  public IndexedVersion withWriteId(WriteId id) {
    return of(index, version.withWriteId(id), origin);
  }

  /** Whether cells of the row hold this version. */
  public boolean isIn(List<Cell> cells) {
    return index.key().versions(cells).stream()
        .anyMatch(
            cell ->
                cell.getTimestamp() == version.timestamp()
                    && CellUtil.matchingValue(cell, version.value()));
  }

  /** Returns the deletes of exactly these entries. */
  public List<Delete> deletes() {
    return index.retract(version);
  }
}
