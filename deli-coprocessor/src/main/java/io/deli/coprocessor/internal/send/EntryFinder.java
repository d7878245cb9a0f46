package io.deli.coprocessor.internal.send;

import io.deli.coprocessor.spi.Contained;
import io.deli.entry.Entry;
import io.deli.strategy.Index;
import io.deli.strategy.MergeTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads entries of index tables, one request to each region server. Thread-safe; never blocks. */
public final class EntryFinder {
  /** Takes entries for equal that differ in their write ids only: those of one version. */
  public static final Comparator<Entry> BY_VERSION =
      Comparator.comparing(Entry::token, Bytes.BYTES_COMPARATOR)
          .thenComparing(Entry::key, Bytes.BYTES_COMPARATOR)
          .thenComparingLong(Entry::timestamp);

  private final Supplier<CompletableFuture<AsyncConnection>> connection;

  EntryFinder(Supplier<CompletableFuture<AsyncConnection>> connection) {
    this.connection = connection;
  }

  /** Whether entries are found by their rows; of a posting list, much must be read for each. */
  public static boolean findsByRow(Index index) {
    return index.strategy().mergeTime() == MergeTime.NEVER;
  }

  /**
   * Finds the entries of versions, whatever their write ids.
   *
   * @param table of a generation of the index
   * @param versions each told by an entry, which need not be there
   * @param priority of the requests
   * @return the entries {@link #BY_VERSION}; fails if a server does not answer in time
   */
  public CompletableFuture<NavigableMap<Entry, List<Entry>>> find(
      TableName table, Index index, Collection<Entry> versions, int priority, long timeoutMillis) {
    NavigableMap<Entry, Get> gets = new TreeMap<>(BY_VERSION);
    for (Entry version : versions) {
      index
          .strategy()
          .find(index, version)
          .ifPresent(get -> gets.put(version, get.setCacheBlocks(false).setPriority(priority)));
    }
    return gets.isEmpty()
        ? CompletableFuture.completedFuture(none())
        : connection
            .get()
            .thenCompose(
                open ->
                    TableDeleteSender.table(open, table, timeoutMillis)
                        .getAll(List.copyOf(gets.values())))
            .thenApply(rows -> entries(index, gets.keySet(), rows))
            .exceptionally(
                e -> {
                  if (TableDeleteSender.isGone(e)) {
                    return none();
                  }
                  throw new CompletionException(e);
                });
  }

  private static NavigableMap<Entry, List<Entry>> none() {
    return new TreeMap<>(BY_VERSION);
  }

  private static NavigableMap<Entry, List<Entry>> entries(
      Index index, Collection<Entry> versions, List<Result> rows) {
    NavigableMap<Entry, List<Entry>> entries = none();
    Iterator<Result> row = rows.iterator();
    for (Entry version : versions) {
      entries.put(version, entries(index, version, row.next()));
    }
    return entries;
  }

  /** Passes over cells that cannot be read. */
  private static List<Entry> entries(Index index, Entry version, Result row) {
    List<Entry> entries = new ArrayList<>(1);
    for (Cell cell : row.isEmpty() ? new Cell[0] : row.rawCells()) {
      Contained.orElse(() -> index.entries(Result.create(List.of(cell))), e -> List.<Entry>of())
          .stream()
          .filter(entry -> BY_VERSION.compare(entry, version) == 0)
          .forEach(entries::add);
    }
    return entries;
  }
}
