package io.deli.client.internal.verify;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** The index table: its entries. */
final class IndexSide {
  private static final int AT_A_TIME = 1_000;

  private final Table table;
  private final Index index;

  IndexSide(Table table, Index index) {
    this.table = table;
    this.index = index;
  }

  Table table() {
    return table;
  }

  /** Those that are there, whatever their write ids. */
  Set<Entry> known(Collection<Entry> entries) throws IOException {
    return present(
        entries,
        (present, entry) ->
            present.timestamp() == entry.timestamp()
                && Arrays.equals(present.key(), entry.key())
                && Arrays.equals(present.token(), entry.token()));
  }

  /** Those that are there. */
  Set<Entry> present(Collection<Entry> entries) throws IOException {
    return present(entries, Entry::equals);
  }

  private Set<Entry> present(Collection<Entry> entries, BiPredicate<Entry, Entry> same)
      throws IOException {
    List<Entry> all = List.copyOf(entries);
    Set<Entry> present = new HashSet<>();
    for (int from = 0; from < all.size(); from += AT_A_TIME) {
      addPresent(all.subList(from, Math.min(all.size(), from + AT_A_TIME)), same, present);
    }
    return present;
  }

  private void addPresent(List<Entry> some, BiPredicate<Entry, Entry> same, Set<Entry> present)
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
    Result[] rows = table.get(gets);
    for (int i = 0; i < rows.length; i++) {
      Entry subject = subjects.get(i);
      if (read(rows[i]).orElse(List.of()).stream().anyMatch(each -> same.test(each, subject))) {
        present.add(subject);
      }
    }
  }

  /** The entries in a row; empty if what is there is none. */
  Optional<List<Entry>> read(Result row) {
    if (row.isEmpty()) {
      return Optional.of(List.of());
    }
    try {
      return Optional.of(index.entries(row));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The row that has, or would have, the entry; empty if there can be none. */
  byte[] row(Entry entry) {
    return index.strategy().find(index, entry).map(Get::getRow).orElse(new byte[0]);
  }

  /**
   * Writes the entry of one token of a version.
   *
   * @param id of the entry
   */
  List<Put> puts(Wanted wanted, WriteId id) {
    byte[] row = row(wanted.entry());
    BaseVersion version =
        new BaseVersion(wanted.entry().key(), wanted.value(), wanted.entry().timestamp(), id);
    return index.strategy().write(index, version).stream()
        .filter(put -> Arrays.equals(put.getRow(), row))
        .toList();
  }
}
