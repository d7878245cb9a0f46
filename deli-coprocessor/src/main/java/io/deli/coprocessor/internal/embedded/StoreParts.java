package io.deli.coprocessor.internal.embedded;

import io.deli.index.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/** Opens memory and files of a store as they belong together, for one scan. Not thread-safe. */
final class StoreParts {
  // What is being written counts as well.
  private static final long READ_POINT = Long.MAX_VALUE;
  // Beyond as many flushes in a row between two looks, the scan reads on without.
  private static final int LOOKS = 5;

  private final HStore store;
  private final Sketches sketches;
  private final Index index;
  private final boolean cacheBlocks;
  private final Map<String, FileSketch> known = new HashMap<>();

  StoreParts(HStore store, Sketches sketches, Index index, boolean cacheBlocks) {
    this.store = store;
    this.sketches = sketches;
    this.index = index;
    this.cacheBlocks = cacheBlocks;
  }

  /** Which files to open; may be asked for one again and again. */
  @FunctionalInterface
  interface Choice {
    boolean opens(String file, FileSketch sketch);
  }

  /**
   * The parts of one moment; to be closed.
   *
   * @param sketches of all files, by name
   * @param files those that were chosen, by name
   */
  record Open(
      List<KeyValueScanner> memory,
      Map<String, FileSketch> sketches,
      Map<String, KeyValueScanner> files)
      implements AutoCloseable {
    @Override
    public void close() {
      memory.forEach(KeyValueScanner::close);
      files.values().forEach(KeyValueScanner::close);
    }
  }

  /** Opens the parts; empty if a sketch is missing. */
  Optional<Open> open(byte[] from, byte[] end, Choice choice) throws IOException {
    for (int look = 0; look < LOOKS; look++) {
      for (HStoreFile file : List.copyOf(store.getStorefiles())) {
        String name = file.getPath().getName();
        if (!known.containsKey(name)) {
          Optional<FileSketch> sketch = sketches.of(store, file, index);
          if (sketch.isEmpty()) {
            return Optional.empty();
          }
          known.put(name, sketch.get());
        }
      }
      // The search through the sketches goes ahead of the lock, which finds it done.
      known.forEach(choice::opens);
      Optional<Open> parts = openTogether(from, end, choice);
      if (parts.isPresent()) {
        known.keySet().retainAll(parts.get().sketches().keySet());
        return parts;
      }
    }
    return Optional.empty();
  }

  /** Empty if there is a file whose sketch is not known. */
  private Optional<Open> openTogether(byte[] from, byte[] end, Choice choice) throws IOException {
    Open parts = new Open(new ArrayList<>(), new HashMap<>(), new HashMap<>());
    boolean complete = false;
    store.getStoreEngine().readLock();
    try {
      for (HStoreFile file : store.getStorefiles()) {
        String name = file.getPath().getName();
        FileSketch sketch = known.get(name);
        if (sketch == null) {
          return Optional.empty();
        }
        parts.sketches().put(name, sketch);
        if (choice.opens(name, sketch)) {
          parts.files().put(name, file.getPreadScanner(cacheBlocks, READ_POINT, 0, false));
        }
      }
      parts.memory().addAll(memory(from, end));
      complete = true;
      return Optional.of(parts);
    } finally {
      store.getStoreEngine().readUnlock();
      if (!complete) {
        parts.close();
      }
    }
  }

  private List<KeyValueScanner> memory(byte[] from, byte[] end) throws IOException {
    return store.getScanners(
        List.of(), false, true, false, null, from, true, end, false, READ_POINT, true, false);
  }
}
