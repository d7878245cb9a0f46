package io.deli.coprocessor.internal.servermaintained;

import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;

/** An index that the region maintains. */
record ServerMaintainedIndex(Index index, byte[] family) {
  static ServerMaintainedIndex of(Index index) {
    return new ServerMaintainedIndex(index, index.column().family());
  }

  /** The versions that the mutation writes, or computes; none of columns that it has in part. */
  List<Cell> versions(Mutation mutation) {
    return index.key().versions(mutation.getFamilyCellMap().getOrDefault(family, List.of()));
  }

  /** Whether a cell of the family is a marker that may expose versions without entries. */
  boolean exposes(Cell cell) {
    return index.strategy().retraction().forgetsSuperseded()
        && index.key().all().stream().anyMatch(column -> ColumnVersions.mayResurrect(cell, column));
  }
}
