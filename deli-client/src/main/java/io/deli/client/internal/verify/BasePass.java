package io.deli.client.internal.verify;

import io.deli.client.Finding;
import io.deli.client.Finding.Kind;
import io.deli.client.internal.KeyRange;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Scans the base table and looks for the entries of every version that a lookup may ask for. */
final class BasePass extends Pass {
  /** A version may die between two looks, and another delete may bring it back. */
  private static final int LOOKS = 2;

  private static final int CELLS = 100;

  private final KeyRange range;

  /** Versions to check of each row: some indexes know the newest only. */
  private final int versions;

  BasePass(Sides sides, KeyRange range) {
    super(sides, sides.index().baseTable());
    this.range = range;
    this.versions = index.versions();
  }

  @Override
  Table open() throws IOException {
    return base.open();
  }

  @Override
  Scan scan(byte[] start) {
    Scan scan =
        new Scan()
            .withStartRow(start.length == 0 ? range.start() : start)
            .withStopRow(range.stop())
            .readVersions(versions);
    index.columns().forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    return index.key().inParts(scan, CELLS);
  }

  @Override
  void take(Result row) {
    countRead(row.size());
    for (Cell cell : index.included(row)) {
      findings.comparedVersion();
      List<Entry> wanted = IndexPass.entriesOf(index, cell);
      boolean isTaken = !wanted.isEmpty() || index.takes(CellUtil.cloneValue(cell));
      if (isTaken && wanted.stream().allMatch(entries::canHave)) {
        wanted.forEach(this::add);
      } else {
        addUnindexable(cell);
      }
    }
    index.key().unjoined(row.listCells()).stream().limit(1).forEach(this::addUnindexable);
  }

  private void addUnindexable(Cell cell) {
    findings.add(new Finding(Kind.UNINDEXABLE, new byte[0], Optional.of(withoutToken(cell))));
  }

  private static Entry withoutToken(Cell cell) {
    return new Entry(new byte[0], CellUtil.cloneRow(cell), cell.getTimestamp(), WriteId.NONE);
  }

  @Override
  List<Entry> suspects(List<Entry> window) throws IOException {
    return entries.unseen(window);
  }

  private List<Entry> unknown(List<Entry> all) throws IOException {
    Set<Entry> known = entries.known(all);
    return all.stream().filter(entry -> !known.contains(entry)).toList();
  }

  /** Returns the entries whose version is visible, with that version. */
  private Map<Entry, Cell> living(List<Entry> some) throws IOException {
    NavigableMap<byte[], List<Cell>> rows = base.visible(some, index::includes);
    Map<Entry, Cell> living = new LinkedHashMap<>();
    for (Entry entry : some) {
      rows.getOrDefault(entry.key(), List.of()).stream()
          .limit(versions)
          .filter(version -> index.isOf(entry, version))
          .findFirst()
          .ifPresent(version -> living.put(entry, version));
    }
    return living;
  }

  /**
   * Reads the two sides in turns: a version that is there at one moment has its entry at that
   * moment.
   */
  @Override
  void judge(List<Entry> all) throws IOException {
    base.inPortions(all, this::judgePortion);
  }

  private void judgePortion(List<Entry> some) throws IOException {
    List<Entry> missing = some;
    for (int look = 0; look < LOOKS; look++) {
      missing = unknown(List.copyOf(living(missing).keySet()));
    }
    Map<Entry, Cell> living = living(missing);
    if (!living.isEmpty()) {
      base.requireMaintained();
    }
    for (Entry entry : living.keySet()) {
      findings.add(new Finding(Kind.MISSING, entries.row(entry), Optional.of(entry)));
    }
    if (repairs && !living.isEmpty()) {
      write(living);
    }
  }

  /**
   * Writes entries under the ids of their versions, by which a collection names them. Where the
   * delete of an entry hides what is written so, it gets an id of its own if its version still
   * lives; readers have that one repaired when its version is gone.
   */
  private void write(Map<Entry, Cell> missing) throws IOException {
    put(missing, WriteId::of);
    List<Entry> hidden = unknown(List.copyOf(missing.keySet()));
    findings.written((long) missing.size() - hidden.size());
    Map<Entry, Cell> again = living(hidden);
    if (!again.isEmpty()) {
      WriteId fresh =
          WriteId.of(System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
      put(again, version -> fresh);
      findings.written((long) again.size() - unknown(List.copyOf(again.keySet())).size());
    }
  }

  private void put(Map<Entry, Cell> some, Function<Cell, WriteId> id) throws IOException {
    List<Put> puts = new ArrayList<>();
    some.forEach(
        (entry, cell) -> puts.addAll(entries.puts(entry, BaseVersion.of(cell, id.apply(cell)))));
    entries.put(puts);
  }
}
