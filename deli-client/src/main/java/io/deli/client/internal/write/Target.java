package io.deli.client.internal.write;

import io.deli.client.internal.TableIndexes;
import io.deli.index.Index;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * An index that writes maintain.
 *
 * @param retained versions that the family keeps
 */
record Target(Index index, byte[] family, byte[] qualifier, int retained) {
  static List<Target> of(TableIndexes table) {
    return table.maintained().stream().map(index -> of(table, index)).toList();
  }

  private static Target of(TableIndexes table, Index index) {
    byte[] family = index.column().family();
    ColumnFamilyDescriptor descriptor = table.descriptor().getColumnFamily(family);
    return new Target(
        index,
        family,
        index.column().qualifier(),
        descriptor == null ? 0 : descriptor.getMaxVersions());
  }

  /** The cells of the mutation in the indexed family. */
  List<Cell> family(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(family, List.of());
  }

  /** Whether a cell of the indexed family is in the indexed column. */
  boolean isColumnOf(Cell cell) {
    return CellUtil.matchingQualifier(cell, qualifier);
  }
}
