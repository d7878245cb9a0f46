package io.deli.client.internal.write;

import io.deli.client.internal.KnownIndexes;
import io.deli.strategy.Index;
import io.deli.strategy.Retraction;
import io.deli.strategy.VersionRules;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * An index that writes maintain.
 *
 * @param rules of the versions of its family; null if there is no such
 * @param durability of writes that name none
 * @param retraction whether and when clients delete entries; otherwise read repair does
 */
record MaintainedIndex(
    Index index, byte[] family, VersionRules rules, Durability durability, Retraction retraction) {
  static List<MaintainedIndex> of(KnownIndexes table) {
    return table.maintained().stream().map(index -> of(table, index)).toList();
  }

  private static MaintainedIndex of(KnownIndexes table, Index index) {
    byte[] family = index.column().family();
    ColumnFamilyDescriptor descriptor = table.descriptor().getColumnFamily(family);
    Retraction retraction = index.strategy().retraction();
    return new MaintainedIndex(
        index,
        family,
        descriptor == null ? null : VersionRules.of(descriptor),
        table.descriptor().getDurability(),
        descriptor == null || !isOrderly(descriptor) ? Retraction.NEVER : retraction);
  }

  /** Whether a hidden version stays hidden and the greatest timestamp wins. */
  private static boolean isOrderly(ColumnFamilyDescriptor family) {
    return family.getKeepDeletedCells() == KeepDeletedCells.FALSE && !family.isNewVersionBehavior();
  }

  /** Whether a Put deletes the entries of the version that it supersedes. */
  boolean retractsSuperseded() {
    return retraction == Retraction.AT_WRITE;
  }

  /** Whether a delete deletes the entries of the versions that it hides. */
  boolean retractsDeleted() {
    return retraction.followsDeletes();
  }

  /**
   * Whether the write survives its server. If not, the versions that it supersedes may become
   * visible again.
   */
  boolean isLasting(Mutation mutation) {
    return isLasting(mutation, durability);
  }

  /** The same, by the durability of the table's writes that name none. */
  static boolean isLasting(Mutation mutation, Durability durability) {
    Durability own =
        mutation.getDurability() == Durability.USE_DEFAULT ? durability : mutation.getDurability();
    return own != Durability.SKIP_WAL && own != Durability.ASYNC_WAL;
  }

  List<Cell> family(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(family, List.of());
  }

  /** Whether a mutation writes or hides what the index depends on. */
  boolean isConcernedBy(Mutation mutation) {
    return mutation.isEmpty()
        || family(mutation).stream()
            .anyMatch(
                cell ->
                    PrivateCellUtil.isDeleteFamily(cell)
                        || PrivateCellUtil.isDeleteFamilyVersion(cell)
                        || index.columns().stream().anyMatch(column -> column.matches(cell)));
  }

  boolean isColumnOf(Cell cell) {
    return index.key().include(cell);
  }

  List<Cell> versions(Mutation mutation) {
    return index.key().versions(family(mutation));
  }
}
