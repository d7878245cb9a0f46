package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.FileIndexProvider;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;

/** Metrics of lookups in the base table's files, and of the indexes there. Thread-safe. */
final class SearchMetrics {
  /** The counters. */
  enum Count {
    /** Blocks of rows that a lookup in the base table's files read to find candidates. */
    BLOCKS_READ("lookupBlocksRead"),
    /** Blocks that it left out, for they cannot hold any. */
    BLOCKS_SKIPPED("lookupBlocksSkipped"),
    /** Blocks of a file's index that it read to find out which. */
    INDEX_BLOCKS_READ("lookupIndexBlocksRead"),
    /** Files whose index was read, as it was written with them. */
    FILE_INDEXES_LOADED("fileIndexesLoaded"),
    /** Files that were read to index them. */
    FILE_INDEXES_BUILT("fileIndexesBuilt"),
    /** Files in whose blocks a lookup had to look one by one, for they have no index. */
    FILES_SEARCHED_WHOLE("lookupFilesSearchedWhole"),
    /** Entries of memory's index, or cells of memory, that a lookup looked at. */
    MEMORY_READ("lookupMemoryRead"),
    /** Lookups that looked at memory cell by cell. */
    MEMORY_SEARCHED_WHOLE("lookupMemorySearchedWhole"),
    /** Bytes that indexes of memory take; goes down, too. */
    MEMORY_INDEX_BYTES("memoryIndexBytes");

    private final String metric;

    Count(String metric) {
      this.metric = metric;
    }
  }

  private final Map<Count, Counter> counters = new EnumMap<>(Count.class);

  SearchMetrics(FileIndexProvider.Host host) {
    for (Count each : Count.values()) {
      counters.put(each, host.counter(each.metric));
    }
  }

  /** Counts so many more, or fewer if negative. */
  void add(Count what, long amount) {
    counters.get(what).increment(amount);
  }
}
