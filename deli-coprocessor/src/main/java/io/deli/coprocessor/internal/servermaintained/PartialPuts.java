package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Maintenance;
import io.deli.service.DrawnTimestamp;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.ColumnVersions;
import io.deli.strategy.Index;
import io.deli.strategy.JoinedWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Completes Puts of some of several columns by what their row has in the others, as {@link
 * JoinedColumns} says; the row is locked. Thread-safe.
 *
 * <p>A column that is put again may be in another such index, whose rest is then put again, too.
 * All its indexes get an entry; so all are the region's to maintain, or the Put is refused.
 *
 * <p>The row must not show cells of several timestamps side by side, so what a Put writes must be
 * the newest of all columns:
 *
 * <ul>
 *   <li>A timestamp that was drawn has been overtaken if it is not; the writer is sent back for
 *       another. Whoever drew an earlier one than what is put again is sent back, too, or it would
 *       hide what he writes: to {@link Admission}, it counts as computed. So a Put of all columns
 *       with such a timestamp reads nothing.
 *   <li>One that the writer gave, for some columns or all, may lie behind newer versions that were
 *       written together. They stay the newest, and a Put of some is completed by what the row had
 *       at its time. Where it would show beside newer ones, and where it is ahead of the clock, so
 *       that others came to lie behind it, it is refused.
 * </ul>
 */
final class PartialPuts {
  /** The difference of clocks of servers that had the region one after the other, at most. */
  private static final long LEAD_MILLIS = 1_000;

  private final Region region;
  private final TableIndexes indexes;
  private final List<Index> completed;
  private final List<Index> unable;
  private final List<ServerMaintainedIndex> maintained;
  private final Admission admission;

  /**
   * The cells of a Put that have one timestamp.
   *
   * @param position of the Put among the mutations of its row
   */
  record Written(int position, Put put, List<Cell> cells) {
    long timestamp() {
      return cells.get(0).getTimestamp();
    }
  }

  PartialPuts(Region region, TableIndexes indexes, Admission admission) {
    this.region = region;
    this.indexes = indexes;
    this.admission = admission;
    completed = indexes.joined().stream().filter(index -> index.definition().readsRest()).toList();
    unable =
        indexes.usable().stream()
            .filter(index -> index.strategy().keepsTable())
            .filter(index -> index.definition().state().maintained())
            .filter(index -> !isAble(index))
            .toList();
    maintained = indexes.serverMaintained().stream().map(ServerMaintainedIndex::of).toList();
  }

  private static boolean isAble(Index index) {
    return index.definition().maintenance() == Maintenance.SERVER
        && (index.definition().readsRest() || !index.key().areJoined());
  }

  /** Whether no index has Puts completed. */
  boolean areNone() {
    return completed.isEmpty();
  }

  /** Whether a mutation writes columns of such an index. */
  boolean concern(Mutation mutation) {
    return completed.stream()
        .anyMatch(
            index ->
                mutation
                    .getFamilyCellMap()
                    .getOrDefault(index.column().family(), List.of())
                    .stream()
                    .anyMatch(cell -> index.key().include(cell) || RowTimestamps.isOfFamily(cell)));
  }

  private boolean isPartial(Written written) {
    List<Column> columns = written.cells().stream().map(NewestCells::column).toList();
    return completed.stream()
        .map(index -> index.key().all())
        .anyMatch(all -> all.stream().anyMatch(columns::contains) && !columns.containsAll(all));
  }

  /**
   * Reads a row for the mutations of a batch, if one of them needs it.
   *
   * @param mutations that {@link #concern} it, in the order of the batch
   */
  Row row(List<Mutation> mutations, PendingMutations pending) throws IOException {
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < mutations.size(); i++) {
      if (mutations.get(i) instanceof Put put) {
        written.addAll(written(i, put));
      }
    }
    if (written.stream().allMatch(each -> isDrawn(each, pending) && !isPartial(each))) {
      return new Row(List.of(), List.of(), List.of(), pending);
    }
    written.sort(Comparator.comparingLong(Written::timestamp));
    List<Cell> markers =
        mutations.stream()
            .filter(each -> each instanceof Delete)
            .flatMap(RowWrite::cellsOf)
            .toList();
    byte[] key = mutations.get(0).getRow();
    return new Row(written, markers, read(key, Long.MAX_VALUE), pending);
  }

  private List<Written> written(int position, Put put) {
    Map<Long, List<Cell>> byTime = new TreeMap<>();
    RowWrite.cellsOf(put)
        .filter(cell -> completed.stream().anyMatch(index -> index.key().include(cell)))
        .forEach(
            cell -> byTime.computeIfAbsent(cell.getTimestamp(), t -> new ArrayList<>(2)).add(cell));
    return byTime.values().stream().map(cells -> new Written(position, put, cells)).toList();
  }

  private static boolean isDrawn(Written written, PendingMutations pending) {
    return pending.drawn(written.put().getRow()).orElse(-1) == written.timestamp()
        || DrawnTimestamp.of(written.put())
            .filter(drawn -> drawn.timestamp() == written.timestamp())
            .isPresent();
  }

  /** The newest cells of a row, of those columns, with timestamps below that. */
  private List<Cell> read(byte[] row, long end) throws IOException {
    Scan scan =
        new Scan().withStartRow(row).withStopRow(row, true).setOneRowLimit().setTimeRange(0, end);
    completed.forEach(index -> index.key().addTo(scan));
    return read(scan);
  }

  private List<Cell> read(Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      for (boolean more = true; more; ) {
        more = scanner.next(cells);
      }
      return cells.stream().<Cell>map(KeyValueUtil::copyToNewKeyValue).toList();
    }
  }

  /** A row while Puts of a batch are completed, in the order of their timestamps. */
  final class Row {
    private final List<Written> written;
    private final List<Cell> markers;
    private final NewestCells newest;
    private final PendingMutations pending;

    private Row(
        List<Written> written, List<Cell> markers, List<Cell> read, PendingMutations pending) {
      this.written = written;
      this.markers = markers;
      this.newest = new NewestCells(read, markers);
      this.pending = pending;
    }

    /** What is to be looked at, in that order; nothing if nothing was read. */
    List<Written> written() {
      return written;
    }

    /**
     * Adds to a Put what it leaves out and the row has, if that is anything.
     *
     * @return the entries that are to be sent before it is applied
     * @throws DoNotRetryIOException if the Put is refused
     * @throws RegionTooBusyException if its writer is to draw another timestamp
     */
    Optional<MutationEntries> complete(Written its) throws IOException {
      List<Cell> all = completed(its);
      List<Cell> again = all.subList(its.cells().size(), all.size());
      Optional<MutationEntries> entries =
          again.isEmpty() ? Optional.empty() : Optional.of(entries(its.put(), again, all));
      for (Cell cell : again) {
        its.put().add(cell);
      }
      all.forEach(newest::add);
      return entries;
    }

    /** The cells that are written, and behind them those that are put again. */
    private List<Cell> completed(Written its) throws IOException {
      List<Cell> all = new ArrayList<>(its.cells());
      int known = 0;
      while (known < all.size()) {
        known = all.size();
        for (Index index : completed) {
          if (all.stream().anyMatch(index.key()::include)) {
            all.addAll(rest(index, all, its));
          }
        }
      }
      return all;
    }

    /** What an index needs besides some cells; nothing if the row does not have all of it. */
    private List<Cell> rest(Index index, List<Cell> cells, Written its) throws IOException {
      List<Column> rest = new ArrayList<>(index.key().all());
      rest.removeAll(cells.stream().map(NewestCells::column).toList());
      long now = EnvironmentEdgeManager.currentTime() + LEAD_MILLIS;
      if (!rest.isEmpty() && its.timestamp() > now) {
        throw refusal(index, its, "column %s is put alone, and ahead of the clock");
      }
      long latest = newest.latest(index.key().all());
      List<Cell> found;
      if (latest <= its.timestamp()) {
        found = newest.of(rest);
      } else if (latest <= now && isDrawn(its, pending)) {
        throw new RegionTooBusyException(
            JoinedWrites.refusal(index, key(its), "overtaken by another write; try again"));
      } else {
        found = isLatest(index, cells, its) && !rest.isEmpty() ? asOf(its).of(rest) : List.of();
      }
      if (!found.isEmpty()) {
        requirePlain(index, Stream.concat(cells.stream(), found.stream()));
      }
      return found.stream().<Cell>map(cell -> again(cell, its.timestamp())).toList();
    }

    /**
     * Whether the row has a version that stays its latest when older cells are written.
     *
     * @throws DoNotRetryIOException if it then shows cells that were not written together
     */
    private boolean isLatest(Index index, List<Cell> cells, Written its) throws IOException {
      List<Cell> stored = read(ColumnVersions.scan(index.key(), key(its)));
      List<Cell> hiding =
          Stream.concat(markers.stream(), stored.stream().filter(CellUtil::isDelete)).toList();
      NewestCells after = new NewestCells(newest.of(), List.of());
      new NewestCells(cells, hiding).of().forEach(after::add);
      List<Cell> shown = after.of(index.key().all());
      if (shown.stream().mapToLong(Cell::getTimestamp).distinct().count() > 1) {
        throw refusal(index, its, "column %s is put with a timestamp behind that of another");
      }
      return !shown.isEmpty();
    }

    private NewestCells asOf(Written its) throws IOException {
      return new NewestCells(read(key(its), its.timestamp() + 1), markers);
    }

    private MutationEntries entries(Put put, List<Cell> again, List<Cell> all) throws IOException {
      requireAble(again);
      byte[] named = put.getAttribute(WriteId.ATTRIBUTE);
      WriteId id = named == null ? WriteId.NONE : WriteId.from(named);
      MutationEntries entries = pending.completed(put);
      for (ServerMaintainedIndex each : maintained) {
        if (again.stream().anyMatch(each.index().key()::include)) {
          for (Cell version : each.index().key().versions(all)) {
            entries.require(each.index(), BaseVersion.of(version, id));
          }
        }
      }
      admission.putAgain(put.getRow(), again);
      return entries;
    }
  }

  private static byte[] key(Written its) {
    return its.put().getRow();
  }

  private static DoNotRetryIOException refusal(Index index, Written its, String problem) {
    return new DoNotRetryIOException(
        JoinedWrites.refusal(
            index,
            key(its),
            problem.formatted(NewestCells.column(its.cells().get(0)))
                + ": %d. Put all columns together, with a timestamp of now."
                    .formatted(its.timestamp())));
  }

  /** A time to live, labels and permissions are of their own cells. */
  private static void requirePlain(Index index, Stream<Cell> cells) throws DoNotRetryIOException {
    Optional<Cell> tagged =
        cells
            .filter(
                cell ->
                    PrivateCellUtil.getTags(cell).stream()
                        .anyMatch(tag -> tag.getType() != WriteId.TAG_TYPE))
            .findFirst();
    if (tagged.isPresent()) {
      throw new DoNotRetryIOException(
          JoinedWrites.refusal(
              index,
              CellUtil.cloneRow(tagged.get()),
              "column %s has a time to live, labels or permissions. Put all columns of the index together."
                  .formatted(NewestCells.column(tagged.get()))));
    }
  }

  private void requireAble(List<Cell> again) throws DoNotRetryIOException {
    for (Cell cell : again) {
      Optional<Index> other =
          unable.stream()
              .filter(index -> index.columns().stream().anyMatch(each -> each.matches(cell)))
              .findFirst();
      if (other.isPresent() || indexes.mayHaveUnusable(NewestCells.column(cell))) {
        throw new DoNotRetryIOException(
            "table %s: column %s, which a write of other columns puts again, has an index that the region cannot maintain%s. Put all columns together, or create that index so that it can."
                .formatted(
                    region.getTableDescriptor().getTableName(),
                    NewestCells.column(cell),
                    other.map(index -> ": '" + index.name() + "'").orElse("")));
      }
    }
  }

  private static KeyValue again(Cell cell, long timestamp) {
    return new KeyValue(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        timestamp,
        CellUtil.cloneValue(cell));
  }
}
