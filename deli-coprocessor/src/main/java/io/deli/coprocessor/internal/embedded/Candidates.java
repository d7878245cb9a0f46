package io.deli.coprocessor.internal.embedded;

import io.deli.coprocessor.internal.send.GcMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a store that may be hits, in order, for one scan. Not thread-safe.
 *
 * <p>A row is passed over only if at that moment no part of the store, memory or file, has a cell
 * that matches, visible or not. So an answer without it is right at that moment, whatever the other
 * parts say; and every time the candidates are looked for, the parts are those of that time, all
 * taken at once. Hence flushes, compactions and bulk loads under an open scan need no care.
 */
final class Candidates {
  // A scan that stops early should not have searched all of memory.
  private static final int MOST_OF_MEMORY = 1_000;
  // Beyond as many flushes in a row between two looks, the scan reads on without.
  private static final int LOOKS = 5;

  private final HStore store;
  private final Wanted wanted;
  private final Sketches sketches;
  private final GcMetrics metrics;
  private final byte[] end;
  private final boolean cacheBlocks;
  private final Map<String, FileCursor> cursors = new HashMap<>();
  private NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean complete;
  private boolean blind;

  /**
   * @param end where the scan ends in this region, exclusive
   */
  Candidates(
      HStore store,
      Wanted wanted,
      Sketches sketches,
      GcMetrics metrics,
      byte[] end,
      boolean cacheBlocks) {
    this.store = store;
    this.wanted = wanted;
    this.sketches = sketches;
    this.metrics = metrics;
    this.end = end;
    this.cacheBlocks = cacheBlocks;
  }

  /**
   * The first row at or behind the given one, which must not be before the last one asked for, that
   * may be a hit; empty if there is none before the end.
   */
  Optional<byte[]> atOrBehind(byte[] row) throws IOException {
    byte[] from = row;
    while (!blind) {
      byte[] candidate = rows.ceiling(from);
      if (candidate != null) {
        return Optional.of(candidate);
      }
      if (complete) {
        return Optional.empty();
      }
      if (Bytes.compareTo(from, known) < 0) {
        from = known;
      }
      look(from);
    }
    return Optional.of(row);
  }

  /** Finds the candidates from a row up to where it is then known. */
  private void look(byte[] from) throws IOException {
    try (Parts parts = open(from)) {
      if (blind) {
        metrics.scanUnaided();
        return;
      }
      byte[] upTo = end;
      for (Map.Entry<FileCursor, KeyValueScanner> unread : parts.unread().entrySet()) {
        unread.getKey().read(unread.getValue());
      }
      for (FileCursor cursor : cursors.values()) {
        upTo = Rows.earlier(upTo, cursor.known());
      }
      NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      for (KeyValueScanner segment : parts.memory()) {
        upTo = search(segment, from, upTo, found);
      }
      cursors.values().forEach(cursor -> found.addAll(cursor.rows()));
      byte[] last = upTo;
      found.removeIf(row -> Bytes.compareTo(row, from) < 0 || !Rows.before(row, last));
      rows = found;
      known = last;
      complete = !Rows.before(last, end) || last.length == 0;
    }
  }

  /**
   * Adds the rows of a part of memory that match.
   *
   * @return up to which row it was searched
   */
  private byte[] search(
      KeyValueScanner segment, byte[] from, byte[] upTo, NavigableSet<byte[]> found)
      throws IOException {
    int matches = 0;
    segment.seek(PrivateCellUtil.createFirstOnRow(from));
    for (Cell cell = segment.next(); cell != null; cell = segment.next()) {
      byte[] row = CellUtil.cloneRow(cell);
      if (!Rows.before(row, upTo) || matches == MOST_OF_MEMORY) {
        return Rows.earlier(upTo, row);
      }
      if (wanted.matches(cell) && found.add(row)) {
        matches++;
      }
    }
    return upTo;
  }

  /** Memory and the files to be read, as they belong together. */
  private record Parts(List<KeyValueScanner> memory, Map<FileCursor, KeyValueScanner> unread)
      implements AutoCloseable {
    @Override
    public void close() {
      memory.forEach(KeyValueScanner::close);
      unread.values().forEach(KeyValueScanner::close);
    }
  }

  private Parts open(byte[] from) throws IOException {
    for (int look = 0; look < LOOKS; look++) {
      Map<String, FileSketch> known = new HashMap<>();
      for (HStoreFile file : List.copyOf(store.getStorefiles())) {
        String name = file.getPath().getName();
        if (!cursors.containsKey(name)) {
          Optional<FileSketch> sketch = sketches.of(store, file, wanted.index());
          if (sketch.isEmpty()) {
            blind = true;
            return new Parts(List.of(), Map.of());
          }
          known.put(name, sketch.get());
        }
      }
      known.forEach((n, sketch) -> cursors.put(n, new FileCursor(sketch, wanted, metrics)));
      Optional<Parts> parts = openTogether(from);
      if (parts.isPresent()) {
        return parts.get();
      }
    }
    blind = true;
    return new Parts(List.of(), Map.of());
  }

  /** Opens memory and files in one; empty if there is a file without a cursor. */
  private Optional<Parts> openTogether(byte[] from) throws IOException {
    Parts parts = new Parts(new ArrayList<>(), new HashMap<>());
    boolean opened = false;
    store.getStoreEngine().readLock();
    try {
      List<String> names = new ArrayList<>();
      for (HStoreFile file : store.getStorefiles()) {
        String name = file.getPath().getName();
        FileCursor cursor = cursors.get(name);
        if (cursor == null) {
          return Optional.empty();
        }
        names.add(name);
        if (cursor.seek(from, end)) {
          parts.unread().put(cursor, file.getPreadScanner(cacheBlocks, Long.MAX_VALUE, 0, false));
        }
      }
      cursors.keySet().retainAll(names);
      parts.memory().addAll(memory(from));
      opened = true;
      return Optional.of(parts);
    } finally {
      store.getStoreEngine().readUnlock();
      if (!opened) {
        parts.close();
      }
    }
  }

  private List<KeyValueScanner> memory(byte[] from) throws IOException {
    // What is being written counts as well.
    long readPoint = Long.MAX_VALUE;
    return store.getScanners(
        List.of(), false, true, false, null, from, true, end, false, readPoint, true, false);
  }
}
