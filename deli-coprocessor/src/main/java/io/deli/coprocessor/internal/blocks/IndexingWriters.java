package io.deli.coprocessor.internal.blocks;

import io.deli.index.Index;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.ShipperListener;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes indexes of the files that a store writes, and puts them into these. Thread-safe.
 *
 * <p>It never fails a flush or compaction, nor takes more memory than it may: then the file is
 * written without.
 */
final class IndexingWriters {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingWriters.class);

  private final HStore store;
  private final long most;
  private final Collection<Making> wanted;
  // Weak, since nobody tells of a compaction that was given up.
  private final Map<StoreFileWriter, IndexedFile> underWay = new MapMaker().weakKeys().makeMap();

  private record Making(Index index, Scheme scheme) {}

  /**
   * @param most bytes of memory for the indexes of one file
   */
  IndexingWriters(HStore store, List<Index> indexes, Function<Index, Scheme> schemeOf, long most) {
    this.store = store;
    this.most = most;
    // One serves all definitions of its name.
    Map<String, Making> byName = new TreeMap<>();
    for (Index index : indexes) {
      Scheme scheme = schemeOf.apply(index);
      byName.put(scheme.blockName(index.definition()), new Making(index, scheme));
    }
    this.wanted = byName.values();
  }

  /** The indexes of one file; none any more once they have failed. */
  private final class IndexedFile {
    private final Path path;
    private final Map<String, FileIndexBuilder> builders = new TreeMap<>();

    IndexedFile(Path path) {
      this.path = path;
      for (Making each : wanted) {
        builders.put(
            each.scheme().blockName(each.index().definition()),
            each.scheme().builder(store, each.index()));
      }
    }

    void add(Cell cell, boolean inNewBlock) {
      try {
        for (FileIndexBuilder builder : builders.values()) {
          if (inNewBlock) {
            builder.endBlock();
          }
          builder.add(cell);
        }
        if (inNewBlock
            && builders.values().stream().mapToLong(FileIndexBuilder::heap).sum() > most) {
          giveUp("they take more than %d bytes".formatted(most), null);
        }
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        // A tokenizer of the user's may throw anything; out of a flush it would abort the server.
        giveUp("", e);
      }
    }

    private void giveUp(String why, Throwable cause) {
      builders.clear();
      LOG.error("{} is written without indexes for lookups {}", path, why, cause);
    }

    void finish(StoreFileWriter writer) {
      try {
        for (Map.Entry<String, FileIndexBuilder> builder : builders.entrySet()) {
          SortedMap<String, byte[]> blocks = builder.getValue().finish();
          for (Map.Entry<String, byte[]> block : blocks.entrySet()) {
            MetaBlocks.append(writer, builder.getKey() + block.getKey(), block.getValue());
          }
        }
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        giveUp("", e);
      }
    }
  }

  /** Where to write instead of to the writer. */
  CellSink indexing(CellSink sink) {
    if (!(sink instanceof StoreFileWriter writer)) {
      return sink;
    }
    IndexedFile file = new IndexedFile(writer.getPath());
    underWay.put(writer, file);
    return new Sink(writer, file);
  }

  /** To be called before the writer is closed. */
  void finish(StoreFileWriter writer) {
    IndexedFile file = underWay.remove(writer);
    if (file != null) {
      file.finish(writer);
    }
  }

  private record Sink(StoreFileWriter writer, IndexedFile file)
      implements CellSink, ShipperListener {
    @Override
    public void append(Cell cell) throws IOException {
      // HBase ends a block when it takes the first cell of the next one.
      long end = writer.getPos();
      writer.append(cell);
      file.add(cell, writer.getPos() != end);
    }

    @Override
    public void beforeShipped() throws IOException {
      writer.beforeShipped();
    }
  }
}
