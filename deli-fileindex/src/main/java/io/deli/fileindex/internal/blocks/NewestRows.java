package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.blocks.SearchMetrics.Count;
import io.deli.fileindex.internal.memory.MemoryEntry;
import io.deli.fileindex.internal.memory.MemoryView;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows with the K newest hits of a region, and perhaps some more.
 *
 * <p>The papers' LOOKUP and RANGELOOKUP with a limit: from newer to older until K hits are found.
 * They go from level to level, and must always search one to its end; here the blocks of all files
 * are in one order, by their newest timestamps, and what is found in them is validated in that
 * order, too. The search ends with the first block or version that is older than the K-th hit. If
 * it takes too much, as where most of what matches is superseded, or a file has no index, it is
 * given up, and all candidates are looked at in their order.
 */
final class NewestRows implements CandidateRows {
  private static final int CELLS_BETWEEN_LOOKS = 1_000;

  private final CandidateRows all;
  private final StoreParts parts;
  private final Wanted wanted;
  private final SearchCount count;
  private final SearchBounds bounds;
  private final int most;
  private final RowReader reader;
  private final PriorityQueue<Found> newestFirst =
      new PriorityQueue<>(Comparator.comparingLong(Found::newest).reversed());
  private final PriorityQueue<Long> hits = new PriorityQueue<>();
  private final NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private long bytes;
  private boolean exceeded;
  private boolean found;
  private boolean farApart;

  /** Reads a row as the scan would. */
  @FunctionalInterface
  interface RowReader {
    List<Cell> read(byte[] row, long readPoint) throws IOException;
  }

  /** Where hits may be. */
  private sealed interface Found {
    /** Bytes on the heap, beside a row. */
    int ENTRY = 100;

    long newest();

    /** Bytes on the heap, about. */
    int weight();
  }

  /**
   * A version, which may be hidden.
   *
   * @param older those behind it that have the same token
   */
  private record Version(byte[] row, long newest, Iterator<MemoryEntry> older) implements Found {
    @Override
    public int weight() {
      return ENTRY + row.length;
    }
  }

  private record Block(Path file, Blocks blocks, int number, long newest) implements Found {
    @Override
    public int weight() {
      return ENTRY;
    }
  }

  /** A row of a file, which is read with the block it is in. */
  private record FileRow(byte[] row, long newest, Place place) implements Found {
    @Override
    public int weight() {
      return ENTRY + row.length;
    }
  }

  private record Place(Path file, int block) {}

  /**
   * @param all all candidates
   */
  NewestRows(CandidateRows all, StoreParts parts, SearchBounds bounds, int most, RowReader reader) {
    this.all = all;
    this.parts = parts;
    wanted = parts.wanted();
    count = parts.count();
    this.bounds = bounds;
    this.most = most;
    this.reader = reader;
  }

  @Override
  public boolean isNone() throws IOException {
    return all.isNone();
  }

  /** They are looked for as the scan sees them. */
  @Override
  public Optional<byte[]> begin(byte[] row) {
    return Optional.of(row);
  }

  @Override
  public Optional<byte[]> last() {
    return Optional.empty();
  }

  @Override
  public boolean areFarApart() {
    return found ? farApart : all.areFarApart();
  }

  @Override
  public void opened(long readPoint) throws IOException {
    Optional<StoreParts.Open> opened =
        parts.open(
            wanted.start(),
            wanted.end(),
            true,
            (name, list) -> list instanceof Shortlist && !list.isEmpty());
    if (opened.isPresent()) {
      try (StoreParts.Open open = opened.get()) {
        if (open.entries().isPresent()) {
          addMemory(open.entries().get());
        } else {
          count.add(Count.MEMORY_SEARCHED_WHOLE, 1);
          for (KeyValueScanner segment : open.memory()) {
            addMemory(segment);
          }
        }
        boolean guided = open.lists().values().stream().allMatch(Matches::knowsTimes);
        if (guided) {
          open.lists().forEach(this::addMatches);
          // Else some were left out, perhaps the newest.
          found = !isExceeded() && search(open.files(), readPoint);
          farApart = parts.areReadByGets(rows.size(), (long) open.lists().size() * rows.size());
        }
      }
    }
    newestFirst.clear();
    if (!found) {
      rows.clear();
    }
  }

  /** Whether the search is given up; for good, since something may have been left out. */
  private boolean isExceeded() {
    exceeded |= bounds.isExceeded();
    return exceeded;
  }

  /** The same, asked for each of many cells. */
  private boolean isExceeded(int looked) {
    return exceeded || (looked % CELLS_BETWEEN_LOOKS == 0 && isExceeded());
  }

  private void add(Found next) {
    bytes += next.weight();
    exceeded |= bytes > bounds.mostBytes();
    if (!exceeded) {
      newestFirst.add(next);
    }
  }

  /** Of each token its newest version: those behind it are looked at in their turn. */
  private void addMemory(MemoryView memory) {
    memory.byToken(wanted.tokens()).takeWhile(token -> !isExceeded()).forEach(this::addNext);
  }

  private void addNext(Iterator<MemoryEntry> token) {
    int looked = 0;
    boolean added = false;
    while (!added && token.hasNext() && !isExceeded(looked)) {
      MemoryEntry entry = token.next();
      looked++;
      added = wanted.matches(entry);
      if (added) {
        add(new Version(entry.row(), entry.timestamp(), token));
      }
    }
    count.add(Count.MEMORY_READ, looked);
  }

  private void addMemory(KeyValueScanner segment) throws IOException {
    int looked = 0;
    segment.seek(PrivateCellUtil.createFirstOnRow(wanted.start()));
    for (Cell cell = segment.next(); cell != null && !isExceeded(looked); cell = segment.next()) {
      if (!Rows.before(cell, wanted.end())) {
        break;
      }
      looked++;
      add(cell);
    }
    count.add(Count.MEMORY_READ, looked);
  }

  private void addMatches(Path file, Matches matches) {
    if (matches instanceof Shortlist list) {
      for (int i = 0; i < list.size(); i++) {
        add(new Block(file, list.blocks(), list.numbers()[i], list.newest()[i]));
      }
    } else if (matches instanceof RowList list) {
      for (int i = 0; i < list.rows().size(); i++) {
        byte[] row = list.rows().get(i);
        Place place = new Place(file, list.blocks().blockOf(row));
        add(new FileRow(row, list.newest()[i], place));
      }
    }
  }

  /** A block at an end of the range has rows beyond it, too. */
  private void add(Cell cell) {
    if (wanted.isInRange(cell) && wanted.matches(cell)) {
      add(new Version(CellUtil.cloneRow(cell), cell.getTimestamp(), Collections.emptyIterator()));
    }
  }

  /** Whether the newest hits were found. */
  private boolean search(Map<Path, StoreParts.OpenFile> files, long readPoint) throws IOException {
    NavigableSet<byte[]> validated = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    Set<Place> counted = new HashSet<>();
    while (!newestFirst.isEmpty() && mayCount(newestFirst.element())) {
      Found next = newestFirst.remove();
      bounds.read();
      if (isExceeded()) {
        return false;
      }
      if (next instanceof Block block) {
        bytes -= block.weight();
        read(block, files.get(block.file()));
      } else if (next instanceof FileRow inFile) {
        if (counted.add(inFile.place())) {
          count.blockRead();
        }
        validate(inFile, inFile.row(), validated, readPoint);
      } else if (next instanceof Version version) {
        validate(version, version.row(), validated, readPoint);
        addNext(version.older());
      }
    }
    if (!exceeded) {
      count.blocksSkipped((int) newestFirst.stream().filter(Block.class::isInstance).count());
    }
    return !exceeded;
  }

  private void read(Block block, StoreParts.OpenFile file) throws IOException {
    // The block before it may lie behind.
    try (KeyValueScanner scanner = parts.scanner(file.reader())) {
      block.blocks().read(block.number(), wanted.start(), scanner, this::add);
    }
    count.blockRead();
  }

  /** Of equals, any may be among the K. */
  private boolean mayCount(Found place) {
    return hits.size() < most || place.newest() >= hits.element();
  }

  /** Reads a row, unless that was done; what was read of is held until the search ends. */
  private void validate(Found place, byte[] row, Set<byte[]> validated, long readPoint)
      throws IOException {
    if (!validated.add(row)) {
      bytes -= place.weight();
      return;
    }
    for (Cell cell : reader.read(row, readPoint)) {
      if (wanted.matches(cell)) {
        rows.add(row);
        hits.add(cell.getTimestamp());
        if (hits.size() > most) {
          hits.remove();
        }
      }
    }
  }

  @Override
  public Optional<byte[]> atOrBehind(byte[] row) throws IOException {
    return found ? Optional.ofNullable(rows.ceiling(row)) : all.atOrBehind(row);
  }
}
