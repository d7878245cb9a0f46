package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.EntrySender.IndexPut;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import io.deli.strategy.ResurrectedVersions;
import io.deli.strategy.VersionRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * A column with indexes that may have lost the entries of versions that are superseded.
 *
 * @param indexes all of that kind that the column has
 */
record ForgetfulColumn(Column column, VersionRules rules, List<Index> indexes) {
  /**
   * The columns of a table in whose families an older version may take the place of a deleted one.
   */
  static List<ForgetfulColumn> of(TableDescriptor table, TableIndexes indexes) {
    List<ForgetfulColumn> columns = new ArrayList<>();
    indexes
        .forgetful()
        .forEach(
            (column, its) -> {
              if (table.hasColumnFamily(column.family())) {
                VersionRules rules = VersionRules.of(table.getColumnFamily(column.family()));
                if (rules.canResurrect()) {
                  columns.add(new ForgetfulColumn(column, rules, its));
                }
              }
            });
    return columns;
  }

  List<Cell> family(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(column.family(), List.of());
  }

  /** Selects the cells of the column's family from those of a row. */
  List<Cell> of(List<Cell> cells) {
    return cells.stream().filter(cell -> CellUtil.matchingFamily(cell, column.family())).toList();
  }

  /** Whether markers hide single versions, so that others may take their places. */
  boolean isExposedBy(List<Cell> markers) {
    return markers.stream().anyMatch(marker -> ColumnVersions.mayResurrect(marker, column));
  }

  /** All that a region holds of the column in a row. */
  ColumnVersions read(Region region, byte[] row) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(ColumnVersions.scan(column, row))) {
      for (boolean more = true; more; ) {
        more = scanner.next(cells);
      }
      return ColumnVersions.of(
          column, cells.stream().<Cell>map(KeyValueUtil::copyToNewKeyValue).toList());
    }
  }

  /** The versions that markers resurrect, to any of the indexes; newest first. */
  Collection<Cell> resurrectedBy(ColumnVersions versions, List<Cell> markers) {
    return under(resurrected(versions), markers);
  }

  /** The same of markers that come one after the other: those of each kind of the indexes. */
  List<ResurrectedVersions> resurrected(ColumnVersions versions) {
    long now = EnvironmentEdgeManager.currentTime();
    return indexes.stream()
        .map(Index::versions)
        .distinct()
        .map(known -> versions.resurrected(rules, known, now))
        .toList();
  }

  static Collection<Cell> under(List<ResurrectedVersions> versions, List<Cell> markers) {
    TreeSet<Cell> exposed = new TreeSet<>(Comparator.comparingLong(Cell::getTimestamp).reversed());
    versions.forEach(each -> exposed.addAll(each.under(markers)));
    return exposed;
  }

  /**
   * The entries of a version under another id; none if it got there past DELI, and no index holds
   * it.
   *
   * @throws DoNotRetryIOException if a tokenizer fails
   */
  List<IndexPut> entries(Cell version, WriteId id, Mutation origin) throws DoNotRetryIOException {
    List<IndexPut> entries = new ArrayList<>(indexes.size());
    for (Index index : indexes) {
      try {
        if (!index.storedTokens(BaseVersion.of(version, id).value()).isEmpty()) {
          for (Put put : index.write(BaseVersion.of(version, id), origin)) {
            entries.add(new IndexPut(index.table(), put));
          }
        }
      } catch (InvalidIndexException e) {
        if (!MutationEntries.isOfValue(e)) {
          throw refusal(version, index, e);
        }
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        throw refusal(version, index, e);
      }
    }
    return entries;
  }

  private DoNotRetryIOException refusal(Cell version, Index index, Throwable e) {
    return new DoNotRetryIOException(
        "table %s, row '%s', column %s, index '%s': a version behind the deleted one: %s"
            .formatted(
                index.baseTable(),
                Bytes.toStringBinary(
                    version.getRowArray(), version.getRowOffset(), version.getRowLength()),
                column,
                index.name(),
                e),
        e);
  }

  /** Takes those entries out again. */
  Stream<IndexDelete> deletes(Cell version, WriteId id) {
    return indexes.stream()
        .flatMap(
            index ->
                index
                    .retractions(BaseVersion.of(version, id))
                    .map(marker -> new IndexDelete(index.table(), marker)));
  }
}
