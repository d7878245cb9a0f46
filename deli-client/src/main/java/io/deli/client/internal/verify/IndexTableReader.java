package io.deli.client.internal.verify;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads and writes the entries of an index table. Thread-safe. */
public record IndexTableReader(Connection connection, Index index) {
  private static final int AT_A_TIME = 1_000;

  private static final int CELLS = 16;

  /** Writes entries, also to a table that is being filled to be read in the place of this one. */
  void put(List<Put> puts) throws IOException {
    for (Index generation : index.generations()) {
      try (Table each = connection.getTable(generation.table())) {
        each.put(puts);
      }
    }
  }

  Table open() throws IOException {
    return connection.getTable(index.table());
  }

  /** Pieces of rows from one on: a cell may be a list of many entries. */
  static Scan pieces() {
    return new Scan().readAllVersions().setBatch(CELLS);
  }

  /** Returns the entries, without write ids, that are not read under any. */
  List<Entry> unseen(Collection<Entry> entries) throws IOException {
    Map<Entry, byte[]> rows = new LinkedHashMap<>();
    entries.forEach(entry -> rows.put(entry, row(entry)));
    SortedSet<byte[]> sorted = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    sorted.addAll(rows.values());
    new RowsReader(connection, index.table())
        .read(
            sorted,
            IndexTableReader::pieces,
            piece -> read(piece).entries().forEach(entry -> rows.remove(entry.withoutId())));
    return List.copyOf(rows.keySet());
  }

  /** Whether such an entry can be written: one of a token too long has no place. */
  boolean canHave(Entry entry) {
    return index
        .strategy()
        .find(index, entry)
        .filter(get -> !EntryCodec.isTooLong(get.getRow()))
        .isPresent();
  }

  /**
   * Returns the entries, without write ids, that exist under any, or may exist: an unreadable cell
   * may hold any entry.
   */
  Set<Entry> known(Collection<Entry> entries) throws IOException {
    return present(entries, true, (present, entry) -> present.withoutId().equals(entry));
  }

  /** Returns the entries that exist. */
  Set<Entry> present(Collection<Entry> entries) throws IOException {
    return present(entries, false, Entry::equals);
  }

  private Set<Entry> present(
      Collection<Entry> entries, boolean unread, BiPredicate<Entry, Entry> same)
      throws IOException {
    List<Entry> all = List.copyOf(entries);
    Set<Entry> present = new HashSet<>();
    for (int from = 0; from < all.size(); from += AT_A_TIME) {
      List<Entry> some = all.subList(from, Math.min(all.size(), from + AT_A_TIME));
      addPresent(some, unread, same, present);
    }
    return present;
  }

  private void addPresent(
      List<Entry> some, boolean unread, BiPredicate<Entry, Entry> same, Set<Entry> present)
      throws IOException {
    List<Entry> subjects = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (Entry entry : some) {
      index
          .strategy()
          .find(index, entry)
          .ifPresent(
              get -> {
                subjects.add(entry);
                gets.add(get.setCacheBlocks(false));
              });
    }
    Result[] rows;
    try (Table table = open()) {
      rows = table.get(gets);
    }
    for (int i = 0; i < rows.length; i++) {
      Entry subject = subjects.get(i);
      Content content = read(rows[i]);
      if ((unread && content.unreadable() > 0)
          || content.entries().stream().anyMatch(each -> same.test(each, subject))) {
        present.add(subject);
      }
    }
  }

  /**
   * The contents of a row.
   *
   * @param unreadable how many cells have none
   */
  public record Content(List<Entry> entries, int unreadable) {}

  /** Reads a row; a cell that is no entry hides none of the others. */
  public Content read(Result row) {
    if (row.isEmpty()) {
      return new Content(List.of(), 0);
    }
    try {
      return new Content(index.entries(row), 0);
    } catch (IllegalArgumentException e) {
      return readCells(row);
    }
  }

  private Content readCells(Result row) {
    Set<Entry> entries = new LinkedHashSet<>();
    int unreadable = 0;
    for (Cell cell : row.rawCells()) {
      try {
        entries.addAll(index.entries(Result.create(List.of(cell))));
      } catch (IllegalArgumentException e) {
        unreadable++;
      }
    }
    return new Content(List.copyOf(entries), unreadable);
  }

  /** The row that has, or would have, the entry; empty if there can be none. */
  byte[] row(Entry entry) {
    return index.strategy().find(index, entry).map(Get::getRow).orElse(new byte[0]);
  }

  /** Writes, of the entries of a version, that of one token. */
  List<Put> puts(Entry entry, BaseVersion version) {
    byte[] row = row(entry);
    return index.strategy().write(index, version).stream()
        .filter(put -> Arrays.equals(put.getRow(), row))
        .toList();
  }
}
