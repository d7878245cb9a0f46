package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.blocks.SearchMetrics.Count;
import io.deli.fileindex.internal.memory.MemoryEntry;
import io.deli.fileindex.internal.memory.MemoryView;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
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
 * <p>What the index of memory names is taken when the scan has its read point, ahead of the files:
 * what leaves memory later is in it, and what comes later is written while the scan is under way.
 * If it names more than two thousand versions, or a megabyte of row keys, every cell of memory is
 * looked at instead, as far as the scan gets. Taken any sooner it could lead past a row that has a
 * value by the read point, to one that has lost it by then. Files never change, so their blocks may
 * be read ahead.
 */
final class Candidates implements CandidateRows {
  // A scan that stops early should not have searched all of memory.
  private static final int MOST_OF_MEMORY = 1_000;
  private static final int MOST_ENTRIES = 2_000;
  // Of row keys, which a scan keeps until it ends.
  private static final long MOST_BYTES = 1 << 20;
  // Who waits for an answer wants a sign of life.
  private static final int LOOKS_AT_A_TIME = 32;

  private final StoreParts parts;
  private final Wanted wanted;
  private final SearchCount count;
  private final Map<Path, Held> files = new HashMap<>();
  private NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private Optional<NavigableSet<byte[]>> ofMemory = Optional.empty();
  private boolean begun;
  private byte[] known = HConstants.EMPTY_BYTE_ARRAY;
  private boolean complete;
  private boolean farApart;
  private boolean blind;

  /** A file's cursor, and the list that it is of. */
  private record Held(Matches list, FileCursor cursor) {}

  Candidates(StoreParts parts) {
    this.parts = parts;
    wanted = parts.wanted();
    count = parts.count();
  }

  /**
   * Reads the blocks of files up to the first candidate among them, which the lock that is held
   * while a scan is opened gives no time for.
   */
  void readAhead(byte[] row) throws IOException {
    if (!parts.searchIndexes()) {
      return;
    }
    Set<Path> whole = parts.searched();
    readFilesAhead(row);
    // What memory was flushed to meanwhile was searched from a later row only, and memory not yet.
    files.keySet().retainAll(whole);
    parts.keep(whole);
  }

  private void readFilesAhead(byte[] row) throws IOException {
    byte[] from = row;
    for (int looks = 0; looks < LOOKS_AT_A_TIME; looks++) {
      Optional<StoreParts.Open> opened = openToRead(from, false);
      if (opened.isEmpty()) {
        return;
      }
      try (StoreParts.Open open = opened.get()) {
        read(open);
      }
      byte[] upTo = knownOfFiles();
      if (isEnd(upTo) || !within(from, upTo, ofFiles()).isEmpty()) {
        return;
      }
      from = upTo;
    }
  }

  @Override
  public boolean isNone() throws IOException {
    return !parts.searchIndexes() && parts.areUnnamed();
  }

  @Override
  public Optional<byte[]> begin(byte[] row) throws IOException {
    Set<Path> unread = new HashSet<>();
    Optional<StoreParts.Open> opened =
        open(
            row,
            false,
            (name, list) -> {
              if (cursor(name, list).seek(row)) {
                unread.add(name);
              }
              return false;
            });
    if (opened.isEmpty()) {
      return Optional.of(row);
    }
    try (StoreParts.Open open = opened.get()) {
      read(open);
      takeMemory(open);
    }
    if (ofMemory.isEmpty() || !unread.isEmpty()) {
      return Optional.of(row);
    }
    know(row, knownOfFiles(), new TreeSet<>(Bytes.BYTES_COMPARATOR));
    if (rows.isEmpty()) {
      return complete ? Optional.empty() : Optional.of(known);
    }
    return Optional.of(rows.first());
  }

  @Override
  public Optional<byte[]> last() {
    return complete && !rows.isEmpty() ? Optional.of(rows.last()) : Optional.empty();
  }

  @Override
  public boolean areFarApart() {
    return farApart && !blind;
  }

  @Override
  public void opened(long readPoint) {
    // Nothing was known ahead of the read point but what files never change.
  }

  @Override
  public Optional<byte[]> atOrBehind(byte[] row) throws IOException {
    byte[] from = row;
    for (int looks = 0; !blind; looks++) {
      byte[] candidate = rows.ceiling(from);
      if (candidate != null) {
        files.values().forEach(file -> file.cursor().visit(candidate));
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
    Optional<StoreParts.Open> opened = openToRead(from, !begun || ofMemory.isEmpty());
    if (opened.isEmpty()) {
      return;
    }
    try (StoreParts.Open open = opened.get()) {
      read(open);
      if (!begun) {
        takeMemory(open);
      }
      byte[] upTo = knownOfFiles();
      NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      if (ofMemory.isEmpty()) {
        for (KeyValueScanner segment : open.memory()) {
          upTo = search(segment, from, upTo, found);
        }
      }
      know(from, upTo, found);
    }
  }

  private Optional<StoreParts.Open> openToRead(byte[] from, boolean memory) throws IOException {
    return open(from, memory, (name, list) -> cursor(name, list).seek(from));
  }

  /** Blind from now on if it is empty. */
  private Optional<StoreParts.Open> open(byte[] from, boolean memory, StoreParts.Choice choice)
      throws IOException {
    Optional<StoreParts.Open> opened = parts.open(from, wanted.end(), memory, choice);
    blind = opened.isEmpty();
    return opened;
  }

  /** Reads what was opened of the files; there are no others than these. */
  private void read(StoreParts.Open open) throws IOException {
    files.keySet().retainAll(open.lists().keySet());
    for (Map.Entry<Path, StoreParts.OpenFile> file : open.files().entrySet()) {
      files.get(file.getKey()).cursor().read(file.getValue().scanner());
    }
  }

  private void takeMemory(StoreParts.Open open) {
    begun = true;
    ofMemory = open.entries().flatMap(this::named);
    if (ofMemory.isEmpty()) {
      count.add(Count.MEMORY_SEARCHED_WHOLE, 1);
    }
  }

  /** The row up to which the candidates of all files are known. */
  private byte[] knownOfFiles() {
    byte[] upTo = wanted.end();
    for (Held file : files.values()) {
      upTo = Rows.earlier(upTo, file.cursor().known());
    }
    return upTo;
  }

  private NavigableSet<byte[]> ofFiles() {
    NavigableSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    files.values().forEach(file -> found.addAll(file.cursor().rows()));
    return found;
  }

  private boolean isEnd(byte[] upTo) {
    return upTo.length == 0 || !Rows.before(upTo, wanted.end());
  }

  private void know(byte[] from, byte[] upTo, NavigableSet<byte[]> found) {
    found.addAll(ofFiles());
    ofMemory.ifPresent(named -> found.addAll(within(from, upTo, named)));
    rows = within(from, upTo, found);
    known = upTo;
    complete = isEnd(upTo);
    farApart = parts.areReadByGets(rows.size(), seeks(from));
  }

  /** How many blocks a scan seeks in on its way to all known rows: one of each file for each. */
  private long seeks(byte[] from) {
    long seeks = 0;
    for (Held file : files.values()) {
      seeks += Math.min(rows.size(), file.list().blocks().countWithin(from, known));
    }
    return seeks;
  }

  private static NavigableSet<byte[]> within(
      byte[] from, byte[] upTo, NavigableSet<byte[]> sorted) {
    if (!Rows.before(from, upTo)) {
      return Collections.emptyNavigableSet();
    }
    NavigableSet<byte[]> behind = sorted.tailSet(from, true);
    return upTo.length == 0 ? behind : behind.headSet(upTo, false);
  }

  private FileCursor cursor(Path file, Matches list) {
    return files
        .compute(
            file,
            (name, held) ->
                held != null && held.list() == list
                    ? held
                    : new Held(list, list.cursor(wanted, count)))
        .cursor();
  }

  /** The rows that the index of memory names; empty if these are many. */
  private Optional<NavigableSet<byte[]>> named(MemoryView memory) {
    Optional<Stream<MemoryEntry>> entries = memory.between(wanted.tokens(), MOST_ENTRIES);
    if (entries.isEmpty()) {
      count.add(Count.MEMORY_READ, MOST_ENTRIES);
      return Optional.empty();
    }
    NavigableSet<byte[]> named = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int looked = 0;
    long bytes = 0;
    for (MemoryEntry entry : (Iterable<MemoryEntry>) entries.get()::iterator) {
      looked++;
      if (wanted.matches(entry) && named.add(entry.row())) {
        bytes += entry.row().length;
      }
    }
    count.add(Count.MEMORY_READ, looked);
    return bytes <= MOST_BYTES ? Optional.of(named) : Optional.empty();
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
    long bytes = 0;
    byte[] end = upTo;
    segment.seek(PrivateCellUtil.createFirstOnRow(from));
    for (Cell cell = segment.next();
        cell != null && Rows.before(cell, end);
        cell = segment.next()) {
      if (matches == MOST_OF_MEMORY || bytes >= MOST_BYTES) {
        end = CellUtil.cloneRow(cell);
        break;
      }
      looked++;
      if (wanted.matches(cell) && found.add(CellUtil.cloneRow(cell))) {
        matches++;
        bytes += cell.getRowLength();
      }
    }
    count.add(Count.MEMORY_READ, looked);
    return end;
  }
}
