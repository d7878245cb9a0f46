package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.memory.MemoryView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** Opens memory and files of a store as they belong together, for one scan. Not thread-safe. */
final class StoreParts {
  // What is being written counts as well.
  private static final long READ_POINT = Long.MAX_VALUE;
  // Beyond as many flushes in a row between two looks, the scan reads on without.
  private static final int LOOKS = 5;
  // A Get costs what its opening does, and the block that it reads: about as much as two seeks.
  private static final int SEEKS_FOR_A_GET = 2;

  private final HStore store;
  private final StoreIndex index;
  private final Wanted wanted;
  private final SearchCount count;
  private final boolean cacheBlocks;
  private final Map<Path, Matches> known = new HashMap<>();

  StoreParts(StoreIndex index, Wanted wanted, SearchCount count, boolean cacheBlocks) {
    this.store = index.store();
    this.index = index;
    this.wanted = wanted;
    this.count = count;
    this.cacheBlocks = cacheBlocks;
  }

  Wanted wanted() {
    return wanted;
  }

  SearchCount count() {
    return count;
  }

  /** Which files to open. */
  @FunctionalInterface
  interface Choice {
    boolean opens(Path file, Matches list);
  }

  /**
   * The parts of one moment; to be closed.
   *
   * @param memory every cell of it, if that was asked for
   * @param entries of all of memory, if they are known
   * @param lists of all files, by path
   * @param files those that were chosen, by path
   */
  record Open(
      List<KeyValueScanner> memory,
      Optional<MemoryView> entries,
      Map<Path, Matches> lists,
      Map<Path, OpenFile> files)
      implements AutoCloseable {
    @Override
    public void close() {
      memory.forEach(KeyValueScanner::close);
      files.values().forEach(file -> file.scanner().close());
    }
  }

  /**
   * A file, which is kept for as long as its scanner is open.
   *
   * @param scanner reads forwards only: HBase's scanner of a file's lower half, once it has met the
   *     row of the split, finds nothing more wherever it seeks, or fails
   */
  record OpenFile(StoreFileReader reader, KeyValueScanner scanner) {}

  /**
   * Searches the indexes of the files that there are.
   *
   * @return whether there are blocks to be read to know more; not if a file was closed meanwhile
   */
  boolean searchIndexes() throws IOException {
    return search(wanted.start())
        && known.values().stream().anyMatch(list -> list instanceof Shortlist && !list.isEmpty());
  }

  /** Whether the indexes of memory and of files name nothing; not if there are other files. */
  boolean areUnnamed() {
    if (index.memoryMayHold(wanted.tokens())) {
      return false;
    }
    store.getStoreEngine().readLock();
    try {
      for (HStoreFile file : store.getStorefiles()) {
        Matches list = known.get(file.getPath());
        if (list == null || !list.isEmpty()) {
          return false;
        }
      }
      return true;
    } finally {
      store.getStoreEngine().readUnlock();
    }
  }

  /**
   * Whether Gets give what a scan does, and cost less than its seeks, since they leave out files by
   * their row Bloom filters. A foreign coprocessor may have put a scanner of its own in the place
   * of the scan's.
   *
   * @param seeks of the scan, on its way to all these rows
   */
  boolean areReadByGets(int rows, long seeks) {
    return seeks > (long) SEEKS_FOR_A_GET * rows
        && store.getColumnFamilyDescriptor().getBloomFilterType() == BloomType.ROW
        && store
            .getHRegion()
            .getCoprocessorHost()
            .findCoprocessors(RegionCoprocessor.class)
            .stream()
            .map(other -> other.getClass().getName())
            .allMatch(
                name -> name.startsWith("org.apache.hadoop.hbase.") || name.startsWith("io.deli."));
  }

  /** The files whose indexes were searched. */
  Set<Path> searched() {
    return Set.copyOf(known.keySet());
  }

  /** Has the indexes of all other files searched again. */
  void keep(Set<Path> searched) {
    known.keySet().retainAll(searched);
  }

  private boolean search(byte[] from) throws IOException {
    return index.search(wanted.from(from), count, known);
  }

  /**
   * Opens the parts; empty if there are other files every time.
   *
   * @param from no row before this is asked for any more
   * @param cells whether every cell of memory is to be looked at
   */
  Optional<Open> open(byte[] from, byte[] end, boolean cells, Choice choice) throws IOException {
    known.values().removeIf(list -> list.end().length > 0 && !Rows.before(from, list.end()));
    Optional<Open> parts =
        known.isEmpty() ? Optional.empty() : openTogether(from, end, cells, choice);
    for (int look = 0; look < LOOKS && parts.isEmpty(); look++) {
      // The search through the indexes goes ahead of the lock.
      if (search(from)) {
        parts = openTogether(from, end, cells, choice);
      }
    }
    parts.ifPresent(open -> known.keySet().retainAll(open.lists().keySet()));
    return parts;
  }

  /** Empty if there is a file that was not searched for. */
  private Optional<Open> openTogether(byte[] from, byte[] end, boolean cells, Choice choice)
      throws IOException {
    // Ahead of the files: what is flushed in between is seen twice, and not missed.
    Optional<MemoryView> entries = index.entries();
    Open parts = new Open(new ArrayList<>(), entries, new HashMap<>(), new HashMap<>());
    boolean complete = false;
    store.getStoreEngine().readLock();
    try {
      if (!StoreIndex.areKnown(store.getStorefiles(), known)) {
        return Optional.empty();
      }
      for (HStoreFile file : store.getStorefiles()) {
        Path path = file.getPath();
        Matches list = known.get(path);
        parts.lists().put(path, list);
        if (choice.opens(path, list)) {
          StoreFileReader reader = file.getReader();
          parts.files().put(path, new OpenFile(reader, scanner(reader)));
        }
      }
      if (cells) {
        parts.memory().addAll(memory(from, end));
      }
      complete = true;
      return Optional.of(parts);
    } finally {
      store.getStoreEngine().readUnlock();
      if (!complete) {
        parts.close();
      }
    }
  }

  /** A scanner beside others of a file that is open. */
  KeyValueScanner scanner(StoreFileReader file) {
    return file.getStoreFileScanner(cacheBlocks, true, false, READ_POINT, 0, false);
  }

  private List<KeyValueScanner> memory(byte[] from, byte[] end) throws IOException {
    return store.getScanners(
        List.of(), false, true, false, null, from, true, end, false, READ_POINT, true, false);
  }
}
