package io.deli.fileindex.internal.blocks;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.spi.Contained;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.fileindex.internal.blocks.SearchMetrics.Count;
import io.deli.fileindex.internal.hbase.MetaBlocks;
import io.deli.fileindex.internal.memory.MemoryRoom;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the indexes of the files that a region server has open: those that the files were
 * written with, or made of what is read of them. Thread-safe.
 *
 * <p>Files never change, so an index is good for as long as its file is. The two halves of a file
 * whose region was split use the whole file's, if it is still there.
 */
public final class FileIndexes implements FileIndexProvider.OfServer {
  private static final Logger LOG = LoggerFactory.getLogger(FileIndexes.class);

  // To read as much takes less time than a client waits for an answer.
  private static final long READ_AT_ONCE = 8L << 20;

  // That together may hold as much as the indexes of memory.
  private static final int SEARCHES = 16;

  private static final int IDLE_SECONDS = 30;

  private final Map<FileIndexing, Scheme> schemes;
  private final IndexCache known;
  private final Set<Key> underWay = ConcurrentHashMap.newKeySet();

  /**
   * The files that were read for their indexes in the last hour. One that the cache has dropped is
   * searched whole for the rest of it: where files do not fit in together, each lookup would have
   * one read for the place of another.
   */
  private final Cache<Key, Boolean> builtLately =
      CacheBuilder.newBuilder().maximumSize(50_000).expireAfterWrite(1, TimeUnit.HOURS).build();

  /** Reads large files. Other work in the background, such as to find garbage, does not wait. */
  private final ExecutorService builds =
      Threads.getBoundedCachedThreadPool(
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new ThreadFactoryBuilder().setNameFormat("deli-file-index").setDaemon(true).build());

  private final CreationPass creation;
  private final SearchMetrics metrics;
  private final MemoryRoom memoryRoom;

  /** Of scanners, in milliseconds. To read a setting takes longer than many a lookup. */
  private final long lease;

  private record Key(Path file, String name) {}

  public FileIndexes(FileIndexProvider.Host host, Map<FileIndexing, Scheme> schemes) {
    this.schemes = schemes;
    creation = CreationPass.pausing(host.background());
    lease =
        host.configuration()
            .getLong(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD);
    metrics = new SearchMetrics(host);
    memoryRoom =
        new MemoryRoom(
            DeliSettings.MEMORY_INDEX.get(host.configuration(), LOG::error),
            bytes -> metrics.add(Count.MEMORY_INDEX_BYTES, bytes));
    known = new IndexCache(DeliSettings.BLOCK_INDEX_CACHE.get(host.configuration(), LOG::error));
  }

  @Override
  public FileIndexProvider.OfRegion open(Region region) {
    return new BlockIndexes(region, this);
  }

  @Override
  public void close() {
    builds.shutdown();
    known.clear();
  }

  SearchMetrics metrics() {
    return metrics;
  }

  /** How files are indexed for an index; empty if it asks for nothing. */
  Optional<Scheme> scheme(Index index) {
    return Optional.ofNullable(schemes.get(index.strategy().fileIndexing()));
  }

  /** What leads to the parts of a store's files. */
  GlobalIndex over(StoreIndex store, Map<Path, FileIndex> indexes) {
    return known.over(store, indexes);
  }

  /** The lists that an earlier page of the same query has found for its pages to come. */
  Map<Path, Matches> recall(StoreIndex store, Wanted wanted) {
    return known
        .history(ReadHistory.Query.of(store, wanted))
        .map(history -> history.behind(wanted.start()))
        .orElse(Map.of());
  }

  /** Keeps lists for pages to come, if these are likely. */
  void remember(StoreIndex store, Wanted wanted, Map<Path, Matches> lists) {
    if (ReadHistory.isLong(lists)) {
      known.keep(
          ReadHistory.Query.of(store, wanted), new ReadHistory(wanted.start(), Map.copyOf(lists)));
    }
  }

  /** Forgets what led to the files of a store that is closed. */
  void drop(StoreIndex store) {
    known.drop(store);
  }

  /** For a search while a scan of the region is being opened. */
  SearchBounds bounds(Region region) {
    return SearchBounds.of(region, lease, memoryRoom.most() / SEARCHES);
  }

  /** For files from before their index. */
  CreationPass creation() {
    return creation;
  }

  /** For what is not in files yet. */
  MemoryRoom memoryRoom() {
    return memoryRoom;
  }

  /**
   * The index of a file; one that excludes nothing if there is none yet, for a large file is read
   * in the background, or none any more. Empty if the file was closed meanwhile.
   *
   * @param name of the block that the scheme has for the index
   */
  Optional<FileIndex> of(HStore store, HStoreFile file, Index index, Scheme scheme, String name) {
    Key own = new Key(file.getPath(), name);
    Key whole = new Key(whole(file), name);
    Optional<FileIndex> found = known.get(whole).or(() -> known.get(own));
    if (found.isPresent()) {
      return found;
    }
    StoreFileReader reader = file.getReader();
    if (reader == null) {
      return Optional.empty();
    }
    if (builtLately.getIfPresent(own) != null) {
      return Optional.of(UnindexedFile.of(reader));
    }
    Optional<byte[]> bytes;
    try {
      bytes = MetaBlocks.find(reader, name);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: '{}' cannot be read; the next lookup tries again", file, name, e);
      return Optional.of(UnindexedFile.of(reader));
    }
    Optional<FileIndex> written = bytes.flatMap(block -> decode(whole, block, reader, scheme));
    if (written.isPresent()) {
      return written;
    }
    UnindexedFile without = UnindexedFile.of(reader);
    if (!scheme.readsFiles()) {
      return Optional.of(known.keep(own, without));
    }
    if (reader.length() <= READ_AT_ONCE) {
      return Optional.of(build(own, store, file, index, scheme).orElse(without));
    }
    if (underWay.add(own)) {
      buildInBackground(own, () -> build(own, store, file, index, scheme));
    }
    return Optional.of(without);
  }

  private void buildInBackground(Key key, Runnable build) {
    try {
      builds.execute(
          () -> {
            try {
              build.run();
            } finally {
              underWay.remove(key);
            }
          });
    } catch (RejectedExecutionException e) {
      underWay.remove(key);
    }
  }

  /** Takes the index that the file was written with; empty if it is in another format. */
  private Optional<FileIndex> decode(Key key, byte[] bytes, StoreFileReader file, Scheme scheme) {
    try {
      FileIndex index = scheme.decode(key.name(), bytes);
      FileIndex kept = fitting(key, index, file);
      metrics.add(Count.FILE_INDEXES_LOADED, 1);
      return Optional.of(kept);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: '{}' is not understood", key.file(), key.name(), e);
      return Optional.empty();
    }
  }

  private static Path whole(HStoreFile file) {
    return file.isReference() ? StoreFileInfo.getReferredToFile(file.getPath()) : file.getPath();
  }

  /** Empty if that failed; perhaps the file was compacted away. */
  private Optional<FileIndex> build(
      Key key, HStore store, HStoreFile file, Index index, Scheme scheme) {
    StoreFileReader reader = file.getReader();
    if (reader == null) {
      return Optional.empty();
    }
    try {
      FileIndexBuilder builder = scheme.builder(store, index);
      read(store, file, builder);
      builtLately.put(key, true);
      if (builder.heap() > known.most()) {
        return Optional.of(keepNothing(key, builder.heap(), reader));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      builder.finish(() -> true).get("").write(new DataOutputStream(bytes));
      FileIndex built = scheme.decode(key.name(), bytes.toByteArray());
      FileIndex kept = fitting(key, built, reader);
      // Once lookups go by it: whoever waits for the count relies on that.
      metrics.add(Count.FILE_INDEXES_BUILT, 1);
      return Optional.of(kept);
    } catch (IOException e) {
      LOG.info("{}: cannot be read for its index; the next lookup tries again", file, e);
      return Optional.empty();
    } catch (Throwable e) {
      LOG.error("{}: '{}' cannot index this file", file, key.name(), Contained.containable(e));
      builtLately.put(key, true);
      return Optional.of(known.keep(key, UnindexedFile.of(reader)));
    }
  }

  private FileIndex fitting(Key key, FileIndex index, StoreFileReader file) {
    return index.weight() <= known.most()
        ? known.keep(key, index)
        : keepNothing(key, index.weight(), file);
  }

  private FileIndex keepNothing(Key key, long bytes, StoreFileReader file) {
    LOG.warn(
        "{}: {} bytes of '{}' do not fit into {}; lookups search all of the file",
        key.file(),
        bytes,
        key.name(),
        DeliSettings.BLOCK_INDEX_CACHE.key());
    return known.keep(key, UnindexedFile.of(file));
  }

  private void read(HStore store, HStoreFile file, FileIndexBuilder builder) throws IOException {
    List<StoreFileScanner> scanners =
        StoreFileScanner.getScannersForCompaction(List.of(file), false, Long.MAX_VALUE);
    try {
      StoreFileScanner cells = scanners.get(0);
      cells.seek(PrivateCellUtil.createFirstOnRow(HConstants.EMPTY_START_ROW));
      int blockSize = store.getColumnFamilyDescriptor().getBlocksize();
      read(cells, blockSize, known.most(), file::isCompactedAway, builder);
    } finally {
      scanners.forEach(StoreFileScanner::close);
    }
  }

  /**
   * Reads all cells, or until that takes too much memory. Their blocks are not told apart here, so
   * that they are so but about.
   */
  static void read(
      KeyValueScanner cells,
      int blockSize,
      long mostBytes,
      BooleanSupplier isCompactedAway,
      FileIndexBuilder builder)
      throws IOException {
    long size = 0;
    for (Cell cell = cells.next();
        cell != null && builder.heap() <= mostBytes;
        cell = cells.next()) {
      builder.add(cell);
      size += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      if (size >= blockSize) {
        if (isCompactedAway.getAsBoolean()) {
          // HBase would keep it for this reader, and a split take it for one of the region's.
          throw new InterruptedIOException("the file is compacted away");
        }
        builder.endBlock();
        // Or all blocks of the file would stay in the server's buffers until the end. This cell may
        // be of one that goes.
        cells.shipped();
        size = 0;
      }
    }
  }
}
