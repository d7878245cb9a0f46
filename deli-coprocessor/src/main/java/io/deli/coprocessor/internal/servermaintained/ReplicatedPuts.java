package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.index.WriteIdTags;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Puts that come by replication: they are what another cluster logged, not what somebody wrote.
 *
 * <p>Two kinds of their cells are left out, before anything looks at them:
 *
 * <ul>
 *   <li>What a Put overwrites itself. Replication makes one Put of those that a row got in one
 *       batch. HBase keeps the last cell in a place, there and here, so nobody would see others;
 *       but an index on several columns could not tell which cells were written together.
 *   <li>What a delete restored there ({@link Restoration}). It exposed a version there, which need
 *       not be here any more. Here the delete exposes, and restores, what is here.
 * </ul>
 */
final class ReplicatedPuts {
  private static final Comparator<Cell> BY_PLACE =
      (a, b) -> CellComparator.getInstance().compare(a, b, true);

  private ReplicatedPuts() {}

  /** Leaves in a Put what is to be applied; all, unless it is replicated. */
  static void trim(Put put) {
    if (!put.getClusterIds().isEmpty()) {
      put.getFamilyCellMap().values().forEach(ReplicatedPuts::trim);
    }
  }

  private static void trim(List<Cell> cells) {
    cells.removeIf(WriteIdTags::isRestored);
    Set<Cell> kept = new TreeSet<>(BY_PLACE);
    Lists.reverse(cells).removeIf(cell -> !kept.add(cell));
  }
}
