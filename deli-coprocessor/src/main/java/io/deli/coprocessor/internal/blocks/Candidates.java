package io.deli.coprocessor.internal.blocks;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
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
final class Candidates implements CandidateRows {
  // A scan that stops early should not have searched all of memory.
  private static final int MOST_OF_MEMORY = 1_000;
  // Who waits for an answer wants a sign of life.
  private static final int LOOKS_AT_A_TIME = 32;

  private final StoreParts parts;
  private final Wanted wanted;
  private final SearchCount count;
  private final Map<String, FileCursor> cursors = new HashMap<>();
  private NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean complete;
  private boolean blind;

  Candidates(StoreParts parts, Wanted wanted, SearchCount count) {
    this.parts = parts;
    this.wanted = wanted;
    this.count = count;
  }

  @Override
  public void begin(long readPoint) {
    // What is looked for later is as good.
  }

  @Override
  public Optional<byte[]> atOrBehind(byte[] row) throws IOException {
    byte[] from = row;
    for (int looks = 0; !blind; looks++) {
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
      if (looks == LOOKS_AT_A_TIME) {
        return Optional.of(from);
      }
      look(from);
    }
    return Optional.of(row);
  }

  /** Finds the candidates from a row up to where it is then known. */
  private void look(byte[] from) throws IOException {
    Optional<StoreParts.Open> opened =
        parts.open(from, wanted.end(), (name, list) -> cursor(name, list).seek(from));
    if (opened.isEmpty()) {
      blind = true;
      return;
    }
    try (StoreParts.Open open = opened.get()) {
      cursors.keySet().retainAll(open.lists().keySet());
      for (Map.Entry<String, KeyValueScanner> file : open.files().entrySet()) {
        cursors.get(file.getKey()).read(file.getValue());
      }
      byte[] upTo = wanted.end();
      for (FileCursor cursor : cursors.values()) {
        upTo = Rows.earlier(upTo, cursor.known());
      }
      NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      for (KeyValueScanner segment : open.memory()) {
        upTo = search(segment, from, upTo, found);
      }
      cursors.values().forEach(cursor -> found.addAll(cursor.rows()));
      byte[] last = upTo;
      found.removeIf(row -> Bytes.compareTo(row, from) < 0 || !Rows.before(row, last));
      rows = found;
      known = last;
      complete = !Rows.before(last, wanted.end()) || last.length == 0;
    }
  }

  private FileCursor cursor(String file, Shortlist list) {
    return cursors.computeIfAbsent(file, name -> new FileCursor(list, wanted, count));
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
      if (!Rows.before(cell, upTo)) {
        return upTo;
      }
      if (matches == MOST_OF_MEMORY) {
        return CellUtil.cloneRow(cell);
      }
      if (wanted.matches(cell) && found.add(CellUtil.cloneRow(cell))) {
        matches++;
      }
    }
    return upTo;
  }
}
