package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row as a region stores it, in files that are compacted by chance, with the entries that it got
 * in a partial index.
 */
final class PartialIndexRow {
  private static final byte[] ROW = {'r'};

  /** Timestamps that an application gives are around it. */
  private static final int FIRST_DRAWN = 20;

  private final Index index;
  private final EntryCondition condition;
  private final int versions;
  private final byte[] family;

  /** Oldest first. */
  private final List<List<KeyValue>> files = new ArrayList<>();

  private final Set<String> entries = new HashSet<>();
  private long clock = FIRST_DRAWN;
  private long sequence;
  private boolean isBuilt;

  PartialIndexRow(Index index, int versions) {
    this.index = index;
    this.condition = index.condition().orElseThrow();
    this.versions = versions;
    this.family = condition.column().family();
  }

  /**
   * Makes a mutation that may be refused.
   *
   * @param drawn whether its cells get a timestamp newer than all that were drawn before
   */
  Mutation mutation(Random random, boolean drawn) {
    long drawing = ++clock;
    LongSupplier time =
        () -> drawn ? drawing : 1 + random.nextInt(isBuilt ? 2 * FIRST_DRAWN : FIRST_DRAWN);
    long first = time.getAsLong();
    long second = random.nextInt(3) > 0 ? first : time.getAsLong();
    boolean value = random.nextInt(3) > 0;
    boolean state = !value || random.nextInt(4) > 0;
    byte[] user = index.column().qualifier();
    byte[] other = condition.column().qualifier();
    if (random.nextInt(3) > 0) {
      Put put = new Put(ROW);
      if (value) {
        put.addColumn(family, user, first, new byte[] {(byte) ('a' + random.nextInt(2))});
      }
      if (state) {
        boolean holds = random.nextBoolean();
        put.addColumn(family, other, second, holds ? condition.value() : new byte[] {'x'});
      }
      return put;
    }
    Delete delete = new Delete(ROW);
    switch (random.nextInt(6)) {
      case 0 -> delete.addFamily(family, first);
      case 1 -> delete.addFamilyVersion(family, first);
      case 2 -> delete.addColumn(family, value ? user : other, first);
      case 3 -> delete.addColumns(family, value ? user : other, first);
      default -> delete.addColumns(family, user, first).addColumns(family, other, second);
    }
    return delete;
  }

  /** Applies a mutation, and writes its entries as clients do. */
  void apply(Mutation mutation, boolean drawn) {
    sequence++;
    List<KeyValue> file = new ArrayList<>();
    for (Cell cell : mutation.getFamilyCellMap().getOrDefault(family, List.of())) {
      KeyValue stored = new KeyValue(cell);
      stored.setSequenceId(sequence);
      file.add(stored);
      if (mutation instanceof Put put
          && index.column().matches(cell)
          && !(drawn && condition.leavesOut(put, cell.getTimestamp()))) {
        entries.add(entry(cell));
      }
    }
    files.add(file);
  }

  private static String entry(Cell version) {
    return Bytes.toString(CellUtil.cloneValue(version)) + "@" + version.getTimestamp();
  }

  /** Writes the entries of what is stored, and forgets all others. */
  void build() throws Exception {
    isBuilt = true;
    entries.clear();
    List<Cell> stored =
        files.stream()
            .flatMap(List::stream)
            .filter(cell -> index.column().matches(cell) || condition.column().matches(cell))
            .sorted(CellComparatorImpl.COMPARATOR)
            .<Cell>map(cell -> cell)
            .toList();
    if (!stored.isEmpty()) {
      for (Put put : new VersionEntries(index).of(Result.create(stored))) {
        index
            .entries(Result.create(put.getFamilyCellMap().values().iterator().next()))
            .forEach(entry -> entries.add(Bytes.toString(entry.token()) + "@" + entry.timestamp()));
      }
    }
  }

  /** Merges some neighbouring files, or none: surplus and hidden versions of these are dropped. */
  void compact(Random random) {
    if (files.size() < 2 || random.nextBoolean()) {
      return;
    }
    int from = random.nextInt(files.size() - 1);
    int to = from + 2 + random.nextInt(files.size() - from - 1);
    List<List<KeyValue>> some = files.subList(from, to);
    List<KeyValue> cells = some.stream().flatMap(List::stream).toList();
    List<KeyValue> kept = new ArrayList<>();
    if (some.size() < files.size()) {
      cells.stream().filter(cell -> cell.getType() != Cell.Type.Put).forEach(kept::add);
    }
    for (Column column : index.columns()) {
      shown(column, cells).stream().limit(versions).forEach(kept::add);
    }
    some.clear();
    files.add(from, kept);
  }

  /** The versions that no marker hides, newest first; of equal timestamps the last. */
  private static List<KeyValue> shown(Column column, List<KeyValue> cells) {
    List<KeyValue> shown = new ArrayList<>();
    cells.stream()
        .filter(cell -> cell.getType() == Cell.Type.Put && column.matches(cell))
        .filter(put -> cells.stream().noneMatch(marker -> hides(marker, put, column)))
        .sorted(CellComparatorImpl.COMPARATOR)
        .forEach(
            put -> {
              int last = shown.size() - 1;
              if (last < 0 || shown.get(last).getTimestamp() != put.getTimestamp()) {
                shown.add(put);
              }
            });
    return shown;
  }

  private static boolean hides(Cell marker, Cell put, Column column) {
    long until = marker.getTimestamp();
    return switch (marker.getType()) {
      case DeleteFamily -> put.getTimestamp() <= until;
      case DeleteFamilyVersion -> put.getTimestamp() == until;
      case DeleteColumn -> put.getTimestamp() <= until && column.matches(marker);
      case Delete -> put.getTimestamp() == until && column.matches(marker);
      default -> false;
    };
  }

  /** Throws if a query would miss the row. */
  void requireEntry() {
    List<KeyValue> all = files.stream().flatMap(List::stream).toList();
    List<Cell> newest = new ArrayList<>();
    for (Column column : index.columns()) {
      Optional<KeyValue> first = shown(column, all).stream().findFirst();
      first.ifPresent(newest::add);
    }
    newest.sort(CellComparatorImpl.COMPARATOR);
    for (Cell version : index.included(Result.create(newest))) {
      assertThat(entries).as("%s of %s", newest, files).contains(entry(version));
    }
  }
}
