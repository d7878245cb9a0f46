package io.deli.client.internal.verify;

import io.deli.client.Finding;
import io.deli.client.VerifyOptions;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.Index;
import io.deli.strategy.QueryKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Every version that a lookup may ask for has its entries, or is missing. */
final class BasePass extends Pass<Wanted> {
  /** A version may die between two looks, and another delete may bring it back. */
  private static final int LOOKS = 2;

  private static final int CELLS = 1_000;

  private final Index index;
  private final BaseSide base;
  private final IndexSide entries;
  private final Findings findings;
  private final VerifyOptions options;

  /** Of each row: some indexes know the newest version only. */
  private final int versions;

  private List<Wanted> page = new ArrayList<>();
  private int taken;

  BasePass(
      Index index, BaseSide base, IndexSide entries, Findings findings, VerifyOptions options) {
    this.index = index;
    this.base = base;
    this.entries = entries;
    this.findings = findings;
    this.options = options;
    this.versions =
        index.strategy().unanswerable().contains(QueryKind.OLD_VERSIONS) ? 1 : Integer.MAX_VALUE;
  }

  @Override
  Table table() {
    return base.table();
  }

  @Override
  Scan scan(byte[] start) {
    Column column = index.column();
    return new Scan()
        .withStartRow(start.length == 0 ? options.from() : start)
        .withStopRow(options.to())
        .addColumn(column.family(), column.qualifier())
        .readVersions(versions)
        .setBatch(CELLS);
  }

  @Override
  void take(Result row) {
    for (Cell version : row.rawCells()) {
      findings.comparedVersion();
      taken++;
      byte[] value = CellUtil.cloneValue(version);
      byte[] key = CellUtil.cloneRow(version);
      for (byte[] token : index.storedTokens(value)) {
        page.add(new Wanted(new Entry(token, key, version.getTimestamp(), WriteId.NONE), value));
      }
    }
  }

  @Override
  int taken() {
    return taken;
  }

  @Override
  void compare() throws IOException {
    suspect(unknown(page));
    page = new ArrayList<>();
    taken = 0;
  }

  private List<Wanted> unknown(List<Wanted> all) throws IOException {
    Set<Entry> known = entries.known(all.stream().map(Wanted::entry).toList());
    return all.stream().filter(wanted -> !known.contains(wanted.entry())).toList();
  }

  private List<Wanted> living(List<Wanted> all) throws IOException {
    NavigableMap<byte[], List<Cell>> rows =
        base.visible(all.stream().map(wanted -> wanted.entry().key()).toList());
    return all.stream()
        .filter(
            wanted ->
                rows.getOrDefault(wanted.entry().key(), List.of()).stream()
                    .limit(versions)
                    .anyMatch(version -> IndexPass.isOf(index, wanted.entry(), version)))
        .toList();
  }

  /** What is there at one moment has its entry at that moment, so it is looked at in turns. */
  @Override
  void judge(List<Wanted> all) throws IOException {
    List<Wanted> missing = all;
    for (int look = 0; look < LOOKS; look++) {
      missing = unknown(living(missing));
    }
    missing = living(missing);
    for (Wanted wanted : missing) {
      Entry entry = wanted.entry();
      findings.add(new Finding(Finding.Kind.MISSING, entries.row(entry), Optional.of(entry)));
    }
    if (options.repair() && !missing.isEmpty()) {
      write(missing);
    }
  }

  /**
   * Writes entries as those of a write whose timestamp is its identity: a collection names such
   * when it takes a version that got there past DELI. Where the delete of an entry hides what is
   * written so, it gets an id of its own; readers have that one repaired when its version is gone.
   */
  private void write(List<Wanted> missing) throws IOException {
    put(missing, WriteId.NONE);
    List<Wanted> hidden = unknown(missing);
    if (hidden.isEmpty()) {
      findings.written(missing.size());
      return;
    }
    put(hidden, WriteId.of(System.currentTimeMillis(), ThreadLocalRandom.current().nextLong()));
    findings.written(missing.size() - unknown(hidden).size());
  }

  private void put(List<Wanted> some, WriteId id) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (Wanted wanted : some) {
      puts.addAll(entries.puts(wanted, id));
    }
    entries.table().put(puts);
  }
}
