package io.deli.coprocessor.internal.blocks;

import io.deli.coprocessor.internal.memory.MemoryEntry;
import io.deli.coprocessor.internal.memory.MemoryView;
import java.io.IOException;
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
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a store that may be hits, in order, for one scan. Not thread-safe.
 *
 * <p>A row is passed over only if at that moment no part of the store, memory or file, has a cell
 * that matches, visible or not. So an answer without it is right at that moment, whatever the other
 * parts say; and every time the candidates are looked for, the parts are those of that time, all
 * taken at once. Hence flushes, compactions and bulk loads under an open scan need no care.
 *
 * <p>What the index of memory names is taken once the scan is open, ahead of the files: what leaves
 * memory later is in it, and what comes later is written while the scan is under way. If it names
 * more than two thousand versions, every cell of memory is looked at instead, as far as the scan
 * gets.
 */
final class Candidates implements CandidateRows {
  // A scan that stops early should not have searched all of memory.
  private static final int MOST_OF_MEMORY = 1_000;
  private static final int MOST_ENTRIES = 2_000;
  // Who waits for an answer wants a sign of life.
  private static final int LOOKS_AT_A_TIME = 32;

  private final StoreParts parts;
  private final Wanted wanted;
  private final SearchCount count;
  private final Map<String, FileCursor> cursors = new HashMap<>();
  private NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private Optional<NavigableSet<byte[]>> ofMemory = Optional.empty();
  private boolean begun;
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
    // A row named before may have lost the value that another one, not named then, has got since.
    begun = false;
    rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    known = HConstants.EMPTY_BYTE_ARRAY;
    complete = false;
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
      if (!begun) {
        begun = true;
        ofMemory = open.entries().flatMap(this::named);
        if (ofMemory.isEmpty()) {
          count.memorySearchedWhole();
        }
      }
      byte[] upTo = wanted.end();
      for (FileCursor cursor : cursors.values()) {
        upTo = Rows.earlier(upTo, cursor.known());
      }
      NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      if (ofMemory.isPresent()) {
        addBefore(upTo, ofMemory.get().tailSet(from, true), found);
      } else {
        for (KeyValueScanner segment : open.memory()) {
          upTo = search(segment, from, upTo, found);
        }
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

  private static void addBefore(byte[] end, NavigableSet<byte[]> rows, NavigableSet<byte[]> found) {
    rows.stream().takeWhile(row -> Rows.before(row, end)).forEach(found::add);
  }

  /** The rows that the index of memory names; empty if these are many. */
  private Optional<NavigableSet<byte[]>> named(MemoryView memory) {
    Optional<List<MemoryEntry>> entries = memory.between(wanted.tokens(), MOST_ENTRIES);
    count.memoryRead(entries.map(List::size).orElse(MOST_ENTRIES));
    return entries.map(
        list -> {
          NavigableSet<byte[]> named = new TreeSet<>(Bytes.BYTES_COMPARATOR);
          list.stream().filter(wanted::matches).map(MemoryEntry::row).forEach(named::add);
          return named;
        });
  }

  /**
   * Adds the rows of a part of memory that match.
   *
   * @return up to which row it was searched
   */
  private byte[] search(
      KeyValueScanner segment, byte[] from, byte[] upTo, NavigableSet<byte[]> found)
      throws IOException {
    int looked = 0;
    int matches = 0;
    byte[] end = upTo;
    segment.seek(PrivateCellUtil.createFirstOnRow(from));
    for (Cell cell = segment.next();
        cell != null && Rows.before(cell, end);
        cell = segment.next()) {
      if (matches == MOST_OF_MEMORY) {
        end = CellUtil.cloneRow(cell);
        break;
      }
      looked++;
      if (wanted.matches(cell) && found.add(CellUtil.cloneRow(cell))) {
        matches++;
      }
    }
    count.memoryRead(looked);
    return end;
  }
}
