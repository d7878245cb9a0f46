package io.deli.coprocessor.internal.servermaintained;

import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import io.deli.strategy.JoinedWrites;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;

/** An index that the region maintains. */
record ServerMaintainedIndex(Index index, byte[] family) {
  static ServerMaintainedIndex of(Index index) {
    return new ServerMaintainedIndex(index, index.column().family());
  }

  /** The versions that the mutation writes, or computes; none of one that will be refused. */
  List<Cell> versions(Mutation mutation) {
    return JoinedWrites.refusal(index, mutation).isPresent()
        ? List.of()
        : index.key().versions(mutation.getFamilyCellMap().getOrDefault(family, List.of()));
  }

  /** Whether a cell of the family is a marker that may expose versions without entries. */
  boolean exposes(Cell cell) {
    return index.strategy().retraction().forgetsSuperseded()
        && index.key().all().stream().anyMatch(column -> ColumnVersions.mayResurrect(cell, column));
  }
}
