package io.deli.coprocessor.internal.postinglist;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.strategy.CellMerger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * Merges what one batch writes to one row into the cells that the row has: read, modify and write,
 * in the write's own log entry.
 *
 * <p>Only those cells are rewritten into whose range what is written falls.
 */
final class RowWrites {
  private final MiniBatchOperationInProgress<Mutation> batch;
  private final byte[] row;
  private final List<Integer> operations = new ArrayList<>(1);
  private final NavigableSet<Cell> written = sorted();

  private RowWrites(MiniBatchOperationInProgress<Mutation> batch, byte[] row) {
    this.batch = batch;
    this.row = row;
  }

  /** The rows of a batch; without what HBase has refused already. */
  static SortedMap<ByteBuffer, RowWrites> of(MiniBatchOperationInProgress<Mutation> batch) {
    SortedMap<ByteBuffer, RowWrites> rows = new TreeMap<>();
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (Refusal.isPending(batch, i) && isMerged(mutation)) {
        rows.computeIfAbsent(
                ByteBuffer.wrap(mutation.getRow()), row -> new RowWrites(batch, mutation.getRow()))
            .add(i, mutation);
      }
    }
    return rows;
  }

  /** A mutation with a time to live, labels or permissions of its own keeps its own cell. */
  private static boolean isMerged(Mutation mutation) {
    return (mutation instanceof Put || mutation instanceof Delete)
        && mutation.getAttributesMap().isEmpty()
        && mutation.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .allMatch(
                cell ->
                    !PrivateCellUtil.tagsIterator(cell).hasNext()
                        && (cell.getType() == Cell.Type.Put || cell.getType() == Cell.Type.Delete));
  }

  private void add(int operation, Mutation mutation) {
    operations.add(operation);
    mutation.getFamilyCellMap().values().forEach(written::addAll);
  }

  /**
   * Merges.
   *
   * @param mergers begins a merge into cells of so many bytes
   * @param bytes of a cell at most
   */
  void merge(Region region, IntFunction<CellMerger> mergers, int bytes) throws IOException {
    Set<Cell> before = sorted();
    Set<Cell> after = sorted();
    for (Run run : runs(region, bytes)) {
      CellMerger merger = mergers.apply(run.cellBytes(bytes));
      before.addAll(run.there());
      run.all().forEach(cell -> merger.add(cell, after::add));
      merger.end(after::add);
    }
    replace(before, after);
  }

  /**
   * The runs of cells to be rewritten. A cell's range goes up to the next cell; what comes before
   * the first falls into that, too, unless it is half full, so that lists grow at their newer end.
   * Cells with others between them are not merged, or the lists would overlap, and a marker would
   * not find the one that its posting is in.
   */
  private List<Run> runs(Region region, int bytes) throws IOException {
    Deque<Cell> left = new ArrayDeque<>(written);
    List<Run> runs = new ArrayList<>(1);
    Run run = new Run();
    try (RegionScanner cells = region.getScanner(scan())) {
      Cell cell = next(cells);
      run.added().addAll(before(cell, left));
      boolean grows = cell != null && !run.added().isEmpty() && 2 * cell.getValueLength() < bytes;
      while (cell != null && (grows || !left.isEmpty())) {
        Cell following = left.isEmpty() ? null : next(cells);
        List<Cell> within = before(following, left);
        if (grows || !within.isEmpty()) {
          run.there().add(cell);
          run.added().addAll(within);
        } else {
          runs.add(run);
          run = new Run();
        }
        grows = false;
        cell = following;
      }
    }
    runs.add(run);
    return runs;
  }

  /** Lists that are newer than all that is written cannot hold any of it. */
  private Scan scan() throws IOException {
    long newest = written.stream().mapToLong(Cell::getTimestamp).max().orElseThrow();
    return new Scan()
        .withStartRow(row, true)
        .withStopRow(row, true)
        .readAllVersions()
        .setBatch(1)
        .setTimeRange(0, newest + 1);
  }

  /** Takes what falls before a cell; all of it if there is none. */
  private static List<Cell> before(Cell cell, Deque<Cell> left) {
    List<Cell> before = new ArrayList<>(1);
    while (!left.isEmpty()
        && (cell == null
            || CellComparator.getInstance().compareQualifiers(left.peek(), cell) < 0)) {
      before.add(left.poll());
    }
    return before;
  }

  /** The next cell that can be merged; null behind the last. */
  private static Cell next(RegionScanner cells) throws IOException {
    List<Cell> next = new ArrayList<>(1);
    boolean more = true;
    while (more) {
      more = cells.next(next);
      if (!next.isEmpty() && !PrivateCellUtil.tagsIterator(next.get(0)).hasNext()) {
        Cell copy = KeyValueUtil.copyToNewKeyValue(next.get(0));
        if (cells instanceof Shipper shipper) {
          shipper.shipped();
        }
        return copy;
      }
      next.clear();
    }
    return null;
  }

  /**
   * Replaces the first operation, which is as durable as the table requires even if its writer
   * would do with less.
   */
  private void replace(Set<Cell> before, Set<Cell> after) throws IOException {
    Put put = new Put(row);
    for (Cell cell : after) {
      if (CellUtil.isPut(cell) && !before.contains(cell)) {
        put.add(cell);
      }
    }
    Delete delete = new Delete(row);
    for (Cell cell : before) {
      if (!after.contains(cell)) {
        delete.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), cell.getTimestamp());
      }
    }
    for (Cell cell : written) {
      if (CellUtil.isDelete(cell)) {
        delete.add(cell);
      }
    }
    for (int operation : operations) {
      batch.getOperation(operation).getFamilyCellMap().clear();
    }
    int place = operations.get(0);
    Mutation first = batch.getOperation(place);
    if (first.getDurability() != Durability.FSYNC_WAL) {
      first.setDurability(Durability.USE_DEFAULT);
    }
    List<Mutation> instead = new ArrayList<>(2);
    if (!put.isEmpty()) {
      instead.add(put);
    }
    if (!delete.isEmpty()) {
      instead.add(delete);
    }
    if (!instead.isEmpty()) {
      batch.addOperationsFromCP(place, instead.toArray(Mutation[]::new));
    }
  }

  private static NavigableSet<Cell> sorted() {
    return new TreeSet<>(CellComparator.getInstance());
  }

  /** Cells of the row that lie side by side, and what is written that falls into their range. */
  private record Run(NavigableSet<Cell> there, NavigableSet<Cell> added) {
    Run() {
      this(sorted(), sorted());
    }

    NavigableSet<Cell> all() {
      NavigableSet<Cell> all = sorted();
      all.addAll(there);
      all.addAll(added);
      return all;
    }

    /**
     * Bytes of each cell if all are shared out evenly among as few as there must be, as in a
     * B-tree: were each filled to the brim, each later write into a full one would split off a tiny
     * one.
     */
    int cellBytes(int most) {
      int total = there.stream().mapToInt(Cell::getValueLength).sum();
      total += added.stream().mapToInt(Cell::getQualifierLength).sum();
      int cells = (total + most - 1) / most;
      int largest = added.stream().mapToInt(Cell::getQualifierLength).max().orElse(0);
      return cells <= 1 ? most : total / cells + largest;
    }
  }
}
