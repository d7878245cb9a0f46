package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.FileIndexProvider;
import org.apache.hadoop.hbase.metrics.Counter;

/** Metrics of lookups in the base table's files, and of the indexes there. Thread-safe. */
final class SearchMetrics {
  private final Counter blocksRead;
  private final Counter blocksSkipped;
  private final Counter indexBlocksRead;
  private final Counter fileIndexesBuilt;
  private final Counter fileIndexesLoaded;
  private final Counter filesSearchedWhole;
  private final Counter memoryRead;
  private final Counter memorySearchedWhole;
  private final Counter memoryIndexBytes;

  SearchMetrics(FileIndexProvider.Host host) {
    blocksRead = host.counter("lookupBlocksRead");
    blocksSkipped = host.counter("lookupBlocksSkipped");
    indexBlocksRead = host.counter("lookupIndexBlocksRead");
    fileIndexesLoaded = host.counter("fileIndexesLoaded");
    fileIndexesBuilt = host.counter("fileIndexesBuilt");
    filesSearchedWhole = host.counter("lookupFilesSearchedWhole");
    memoryRead = host.counter("lookupMemoryRead");
    memorySearchedWhole = host.counter("lookupMemorySearchedWhole");
    memoryIndexBytes = host.counter("memoryIndexBytes");
  }

  /** A block of rows that a lookup in the base table's files read to find candidates. */
  void blockRead() {
    blocksRead.increment();
  }

  /** Blocks that it left out, for they cannot hold any. */
  void blocksSkipped(int blocks) {
    blocksSkipped.increment(blocks);
  }

  /** A block of a file's index that it read to find out which. */
  void indexBlockRead() {
    indexBlocksRead.increment();
  }

  /** A file whose index was read, as it was written with it. */
  void fileIndexLoaded() {
    fileIndexesLoaded.increment();
  }

  /** A file that was read to index it. */
  void fileIndexBuilt() {
    fileIndexesBuilt.increment();
  }

  /** A file in whose blocks a lookup had to look one by one, for it has no index. */
  void fileSearchedWhole() {
    filesSearchedWhole.increment();
  }

  /** Entries of memory's index, or cells of memory, that a lookup looked at. */
  void memoryRead(int count) {
    memoryRead.increment(count);
  }

  /** A lookup that looked at memory cell by cell. */
  void memorySearchedWhole() {
    memorySearchedWhole.increment();
  }

  /** Bytes that indexes of memory take more than before; negative if less. */
  void memoryIndexGrew(long bytes) {
    memoryIndexBytes.increment(bytes);
  }
}
