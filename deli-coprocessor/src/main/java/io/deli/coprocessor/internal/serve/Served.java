package io.deli.coprocessor.internal.serve;

import io.deli.coprocessor.internal.index.Contained;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.SupersededVersions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An index that the region maintains.
 *
 * @param retained of how many of the newest versions there are entries
 */
record Served(Index index, byte[] family, int retained) {
  static Served of(Index index, TableDescriptor table) {
    byte[] family = index.column().family();
    ColumnFamilyDescriptor descriptor = table.getColumnFamily(family);
    return new Served(index, family, descriptor == null ? 0 : descriptor.getMaxVersions());
  }

  /** The cells of the mutation in the indexed column. */
  List<Cell> column(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(family, List.of()).stream()
        .filter(index.column()::matches)
        .toList();
  }

  /** Whether a delete hides single versions, so that those behind them may be seen again. */
  boolean isExposedBy(Mutation delete) {
    return delete.getFamilyCellMap().getOrDefault(family, List.of()).stream().anyMatch(this::bares);
  }

  /** The same for one cell of the family. */
  boolean bares(Cell cell) {
    return index.strategy().retraction().forgetsSuperseded()
        && (cell.getType() == Cell.Type.DeleteFamilyVersion
            || (cell.getType() == Cell.Type.Delete && index.column().matches(cell)));
  }

  /** The versions in a row whose entries may be collected by now, with an id. */
  List<BaseVersion> superseded(Region region, byte[] row, WriteId id) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(SupersededVersions.scan(index.column(), row))) {
      for (boolean more = true; more; ) {
        more = scanner.next(cells);
      }
      return Contained.call(() -> superseded(cells, id), e -> refusal(row, e));
    }
  }

  private List<BaseVersion> superseded(List<Cell> cells, WriteId id) {
    return SupersededVersions.among(cells, retained).stream()
        .map(cell -> BaseVersion.of(cell, id))
        .filter(version -> !index.storedTokens(version.value()).isEmpty())
        .toList();
  }

  private DoNotRetryIOException refusal(byte[] row, Throwable e) {
    return new DoNotRetryIOException(
        "table %s, row '%s', column %s, index '%s': a version behind the deleted one: %s"
            .formatted(
                index.baseTable(), Bytes.toStringBinary(row), index.column(), index.name(), e),
        e);
  }
}
