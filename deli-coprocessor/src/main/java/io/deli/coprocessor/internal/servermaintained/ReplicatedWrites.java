package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.index.WriteIdTags;
import io.deli.coprocessor.spi.Caller;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Writes that come by replication: they are what another cluster logged, not what somebody wrote.
 * Thread-safe.
 *
 * <p>They name the clusters that have them, never this one, and a region server sends them. Others
 * name clusters, too: HBase's Import and CopyTable their own, which is another only where they
 * write to a second cluster. Run by the servers' user they pass for replication then.
 *
 * <p>Two kinds of cells are left out of replicated Puts, before anything looks at them:
 *
 * <ul>
 *   <li>What a Put overwrites itself. Replication makes one Put of those that a row got in one
 *       batch. HBase keeps the last cell in a place, there and here, so nobody would see others;
 *       but an index on several columns could not tell which cells were written together.
 *   <li>What a delete restored there ({@link Restoration}). It exposed a version there, which need
 *       not be here any more. Here the delete exposes, and restores, what is here. In other Puts it
 *       is a version as any, and is not marked so, or peers would leave it out.
 * </ul>
 *
 * @param cluster gives the id of this one
 */
record ReplicatedWrites(Supplier<String> cluster) {
  private static final Comparator<Cell> BY_PLACE =
      (a, b) -> CellComparator.getInstance().compare(a, b, true);

  static ReplicatedWrites of(RegionCoprocessorEnvironment env) {
    return new ReplicatedWrites(() -> env.getConnection().getClusterId());
  }

  /**
   * Whether the write is one that the thread is about to apply.
   *
   * @param clusters the ids, or their texts, of those that have it
   */
  boolean include(List<?> clusters) throws IOException {
    return !clusters.isEmpty()
        && Caller.isServer()
        && clusters.stream().map(Object::toString).noneMatch(cluster.get()::equals);
  }

  /** Leaves in a Put what is to be applied. */
  void trim(Put put) throws IOException {
    boolean replicated = include(put.getClusterIds());
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      if (replicated) {
        trim(cells);
      } else if (cells.stream().anyMatch(WriteIdTags::isMarked)) {
        // Only then: what another coprocessor puts may be in lists that cannot be changed.
        cells.replaceAll(WriteIdTags::unmarked);
      }
    }
  }

  private static void trim(List<Cell> cells) {
    cells.removeIf(WriteIdTags::isRestored);
    Set<Cell> kept = new TreeSet<>(BY_PLACE);
    Lists.reverse(cells).removeIf(cell -> !kept.add(cell));
  }
}
