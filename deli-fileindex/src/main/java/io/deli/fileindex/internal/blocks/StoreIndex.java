package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.blocks.SearchMetrics.Count;
import io.deli.fileindex.internal.hbase.MetaBlocks;
import io.deli.fileindex.internal.memory.IndexedMemStore;
import io.deli.fileindex.internal.memory.MemoryView;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The indexes of a store's files together, for one index of the table. Thread-safe. */
final class StoreIndex {
  private static final Logger LOG = LoggerFactory.getLogger(StoreIndex.class);

  private final HStore store;
  private final Optional<IndexedMemStore> memory;
  private final Index index;
  private final Scheme scheme;
  private final String blockName;
  private final FileIndexes files;
  private final SearchMetrics metrics;
  private volatile Last last = Last.NONE;

  /**
   * The indexes of files.
   *
   * @param indexes by path
   * @param global over them
   */
  private record Known(Map<Path, FileIndex> indexes, GlobalIndex global) {
    /** Empty if one of the indexes is gone. */
    static Optional<Known> of(GlobalIndex global) {
      return global.files().map(indexes -> new Known(indexes, global));
    }
  }

  /**
   * The indexes that the last lookup found: to ask the cache for each file takes longer than many a
   * lookup. It is asked now and then, so that it knows what is in use.
   */
  static final class Last {
    static final int USES = 32;
    private static final Last NONE = new Last(List.of(), null);

    /** Weak, for files that are gone, and what the cache drops, must not stay for this. */
    private final WeakReference<Collection<HStoreFile>> files;

    private final WeakReference<GlobalIndex> global;

    private int uses;

    Last(Collection<HStoreFile> files, GlobalIndex global) {
      this.files = new WeakReference<>(files);
      this.global = new WeakReference<>(global);
    }

    /**
     * Empty if that is not known of just these files, or was asked until the cache has its turn.
     */
    Optional<GlobalIndex> of(Collection<HStoreFile> present) {
      // Not exact where several threads count.
      uses++;
      // HBase has another collection where there are others.
      boolean isOfThese = files.refersTo(present) && uses < USES;
      return isOfThese ? Optional.ofNullable(global.get()) : Optional.empty();
    }
  }

  /**
   * @param memory of the store, if it has indexes
   */
  StoreIndex(
      HStore store,
      Optional<IndexedMemStore> memory,
      Index index,
      Scheme scheme,
      FileIndexes files) {
    this.store = store;
    this.memory = memory;
    this.index = index;
    this.scheme = scheme;
    blockName = scheme.blockName(index.definition());
    this.files = files;
    metrics = files.metrics();
  }

  /** Whether it is for just this index, as defined. */
  boolean isOf(Index other) {
    return index.definition().equals(other.definition());
  }

  HStore store() {
    return store;
  }

  /** The entries of memory; empty if they are not known. */
  Optional<MemoryView> entries() {
    return memory.flatMap(indexed -> indexed.entries(index));
  }

  /**
   * Whether memory may have a version of a token; certain if not. To be asked ahead of the files:
   * what is flushed in between is seen twice, and not missed.
   */
  boolean memoryMayHold(TokenRange tokens) {
    return entries().map(memory -> memory.hasAny(tokens)).orElse(true);
  }

  /**
   * Whether at this moment neither memory nor files have what is wanted, as is plain without a look
   * into any index but those that the last lookup found; else that is not known. Valid only if the
   * region is still available afterwards.
   */
  boolean isPlainlyWithout(Wanted wanted, SearchCount count) {
    TokenRange tokens = wanted.tokens();
    if (!tokens.isSingle() || memoryMayHold(tokens)) {
      return false;
    }
    Optional<GlobalIndex> global = last.of(store.getStorefiles());
    if (global.isEmpty() || global.get().mayHold(TokenBloom.hash(tokens.first()))) {
      return false;
    }
    count.blocksSkipped(global.get().blocksWithin(wanted.start(), wanted.end()));
    return true;
  }

  /**
   * Looks for what of the files may hold what is wanted.
   *
   * @param wanted perhaps without rows that the scan is behind
   * @param known gets lists for the files that it has none for, by their paths
   * @return false if a file was closed meanwhile
   */
  boolean search(Wanted wanted, SearchCount count, Map<Path, Matches> known) throws IOException {
    Collection<HStoreFile> present = store.getStorefiles();
    if (wanted.inOrder() && known.isEmpty() && mayBeLater(wanted)) {
      known.putAll(files.recall(this, wanted));
    }
    if (areKnown(present, known)) {
      return true;
    }
    Optional<Known> found = last.of(present).flatMap(Known::of).or(() -> look(present));
    if (found.isEmpty()) {
      return false;
    }
    Map<Path, FileIndex> indexes = found.get().indexes();
    Map<Path, BitSet> parts = found.get().global().find(wanted.tokens());
    for (HStoreFile file : present) {
      Path path = file.getPath();
      StoreFileReader reader = file.getReader();
      if (reader == null) {
        return false;
      }
      if (!known.containsKey(path)) {
        Matches list =
            parts.containsKey(path)
                ? search(indexes.get(path), wanted, parts.get(path), reader)
                : Shortlist.none(indexes.get(path).blocks());
        known.put(path, list.within(wanted.start(), wanted.end()));
        int all = list.blocks().countWithin(wanted.start(), Rows.earlier(wanted.end(), list.end()));
        count.blocksSkipped(all - known.get(path).blockCount());
      }
    }
    if (wanted.inOrder()) {
      files.remember(this, wanted, known);
    }
    return true;
  }

  static boolean areKnown(Collection<HStoreFile> files, Map<Path, Matches> known) {
    return files.stream().allMatch(file -> known.containsKey(file.getPath()));
  }

  /** Empty if a file was closed meanwhile. */
  private Optional<Known> look(Collection<HStoreFile> present) {
    Map<Path, FileIndex> indexes = indexes(present);
    if (indexes.size() < present.size()) {
      return Optional.empty();
    }
    GlobalIndex global = files.over(this, indexes);
    boolean complete = indexes.values().stream().noneMatch(UnindexedFile.class::isInstance);
    last = complete ? new Last(present, global) : Last.NONE;
    return Optional.of(new Known(indexes, global));
  }

  /** By path; without those of files that were closed meanwhile. */
  private Map<Path, FileIndex> indexes(Collection<HStoreFile> present) {
    Map<Path, FileIndex> indexes = new HashMap<>();
    for (HStoreFile file : present) {
      files
          .of(store, file, index, scheme, blockName)
          .ifPresent(found -> indexes.put(file.getPath(), found));
    }
    return indexes;
  }

  /** Whether it may be for a page that is not the first in the region. */
  private boolean mayBeLater(Wanted wanted) {
    return Bytes.compareTo(store.getRegionInfo().getStartKey(), wanted.start()) < 0;
  }

  /** To be called when nobody will search through it any more. */
  void close() {
    files.drop(this);
  }

  private Matches search(FileIndex file, Wanted wanted, BitSet parts, StoreFileReader reader) {
    if (file instanceof UnindexedFile) {
      metrics.add(Count.FILES_SEARCHED_WHOLE, 1);
    }
    try {
      return file.search(
          wanted,
          parts,
          (name, content) -> {
            metrics.add(Count.INDEX_BLOCKS_READ, 1);
            MetaBlocks.read(reader, name, content);
          });
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: its index cannot be read, and all of it is searched", reader, e);
      metrics.add(Count.FILES_SEARCHED_WHOLE, 1);
      return Shortlist.all(file.blocks());
    }
  }
}
