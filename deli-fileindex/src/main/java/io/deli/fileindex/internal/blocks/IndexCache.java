package io.deli.fileindex.internal.blocks;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * Knowledge of files, and of all files of a store together, and of what queries have found there,
 * as far as there is room for it; what was not used for longest goes first. Thread-safe.
 *
 * <p>All are counted, for what leads to the files of a store has their ranges of tokens, too, and
 * keeps them when the files' own indexes are gone.
 */
final class IndexCache {
  private static final int ENTRY = 64;

  private final long most;
  private final Cache<Object, Weighed> known;

  IndexCache(long most) {
    this.most = most;
    known =
        CacheBuilder.newBuilder()
            // One part, so that a single index may take all there is.
            .concurrencyLevel(1)
            .maximumWeight(most)
            .weigher(
                (Object key, Weighed value) ->
                    (int) Math.min(Integer.MAX_VALUE, ENTRY + weight(key) + value.weight()))
            .build();
  }

  /** Paths and stores are there anyway; what was asked for is kept for the cache alone. */
  private static long weight(Object key) {
    return key instanceof Weighed query ? query.weight() : 0;
  }

  /** How much there is room for. */
  long most() {
    return most;
  }

  Optional<FileIndex> get(Object file) {
    return Optional.ofNullable((FileIndex) known.getIfPresent(file));
  }

  FileIndex keep(Object file, FileIndex index) {
    known.put(file, index);
    return index;
  }

  /**
   * What leads to the parts of a store's files.
   *
   * @param store no key of a file
   * @param files all there are, by path
   */
  GlobalIndex over(Object store, Map<Path, FileIndex> files) {
    if (known.getIfPresent(store) instanceof GlobalIndex kept && kept.isOf(files)) {
      return kept;
    }
    GlobalIndex made = new GlobalIndex(files);
    long needed = ENTRY + made.weight();
    for (FileIndex file : files.values()) {
      needed += ENTRY + file.weight();
    }
    if (needed <= most) {
      known.put(store, made);
    } else {
      // To make it costs less than to read again the indexes that would go for it.
      known.invalidate(store);
    }
    return made;
  }

  /** The rows that an earlier page of a query has found. */
  Optional<ReadHistory> history(ReadHistory.Query query) {
    return Optional.ofNullable((ReadHistory) known.getIfPresent(query));
  }

  void keep(ReadHistory.Query query, ReadHistory history) {
    known.put(query, history);
  }

  /** Forgets what led to the files of a store, and what queries found in them. */
  void drop(Object store) {
    known.invalidate(store);
    known
        .asMap()
        .keySet()
        .removeIf(key -> key instanceof ReadHistory.Query query && query.index() == store);
  }

  void clear() {
    known.invalidateAll();
  }
}
