package io.deli.coprocessor.internal.serve;

import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;

/** An index that the region maintains. */
record Served(Index index, byte[] family) {
  static Served of(Index index) {
    return new Served(index, index.column().family());
  }

  /** The cells of the mutation in the indexed column. */
  List<Cell> column(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(family, List.of()).stream()
        .filter(index.column()::matches)
        .toList();
  }

  /** Whether a cell of the family is a marker that may expose versions without entries. */
  boolean bares(Cell cell) {
    return index.strategy().retraction().forgetsSuperseded()
        && ColumnVersions.mayResurrect(cell, index.column());
  }
}
