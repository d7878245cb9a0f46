package io.deli.client.internal.read;

import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.NewestHits.Rank;
import io.deli.entry.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Base rows to look at, in the order of their newest entries. What does not fit into memory, the
 * oldest, is left out, and must be added again once the others are taken. Not thread-safe.
 */
final class RankedRows {
  /** Approximate heap size of an entry without its token and key. */
  private static final int OVERHEAD = 250;

  private final long most;
  private final int fewest;
  private final NavigableMap<Rank, Row> newestFirst = new TreeMap<>();
  private final Map<byte[], Row> byKey = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private long bytes;
  private Rank taken = Rank.FIRST;
  private Rank leftOut = Rank.LAST;

  /**
   * @param most bytes that they may take
   * @param fewest rows to hold, whatever they take
   */
  RankedRows(long most, int fewest) {
    this.most = most;
    this.fewest = fewest;
  }

  /** The entries of one base row, and the place behind those that were added last. */
  private static final class Row {
    private final List<Entry> entries = new ArrayList<>();
    private Rank newest = Rank.LAST;
    private Position behind;
    private long bytes;

    private void add(EntryGroup group) {
      for (Entry entry : group.entries()) {
        bytes += OVERHEAD + entry.token().length + entry.key().length;
      }
      entries.addAll(group.entries());
      behind = group.end();
    }
  }

  boolean isEmpty() {
    return newestFirst.isEmpty();
  }

  /** Whether some were left out. */
  boolean lackSome() {
    return leftOut.compareTo(Rank.LAST) < 0;
  }

  Rank taken() {
    return taken;
  }

  /** Begins to add entries, of which those that are not behind the row taken last do not count. */
  void addAnew() {
    leftOut = Rank.LAST;
  }

  /** Adds entries of one row, the newest first. */
  void add(EntryGroup group) {
    if (group.entries().isEmpty()) {
      return;
    }
    Rank rank = Rank.of(group.entries().get(0));
    // Behind one that was left out none may be taken, though it is smaller and would fit.
    if (rank.compareTo(taken) <= 0 || rank.compareTo(leftOut) >= 0) {
      return;
    }
    Row row = byKey.computeIfAbsent(rank.key(), key -> new Row());
    bytes -= row.bytes;
    row.add(group);
    bytes += row.bytes;
    if (rank.compareTo(row.newest) < 0) {
      newestFirst.remove(row.newest);
      row.newest = rank;
      newestFirst.put(rank, row);
    }
    while (bytes > most && newestFirst.size() > fewest) {
      leftOut = newestFirst.lastKey();
      remove(leftOut);
    }
  }

  /** Takes the first rows, at most so many. */
  List<EntryGroup> take(int rows) {
    List<EntryGroup> groups = new ArrayList<>();
    while (groups.size() < rows && !isEmpty()) {
      taken = newestFirst.firstKey();
      Row row = remove(taken);
      groups.add(new EntryGroup(row.entries, row.behind));
    }
    return groups;
  }

  private Row remove(Rank rank) {
    Row row = newestFirst.remove(rank);
    byKey.remove(rank.key());
    bytes -= row.bytes;
    return row;
  }
}
