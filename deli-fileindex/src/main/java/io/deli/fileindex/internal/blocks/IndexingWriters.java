package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.Contained;
import io.deli.fileindex.internal.hbase.MetaBlocks;
import io.deli.fileindex.internal.hbase.StoreInternals.FileObserver;
import io.deli.strategy.Index;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.ShipperListener;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes indexes of the files that a store writes, and puts them into these. Thread-safe.
 *
 * <p>It never fails a flush or compaction, nor goes on with an index that takes more memory than it
 * may: then the file is written without that one. Where it would be so again, the file's own
 * information has the name of the index's block, and the bytes of memory that the index might take.
 */
final class IndexingWriters implements FileObserver {
  private static final Logger LOG = LoggerFactory.getLogger(IndexingWriters.class);

  private final HStore store;
  private final long most;
  private final Collection<Making> wanted;
  // Weak, in case nobody tells what became of a file.
  private final Map<StoreFileWriter, IndexedFile> underWay = new MapMaker().weakKeys().makeMap();

  private record Making(Index index, Scheme scheme) {}

  /**
   * Whether an index of a file was given up when it was written, and would be again.
   *
   * @param name of the index's block
   * @param most bytes of memory that it may take
   */
  static boolean givesUp(HStoreFile file, String name, long most) {
    byte[] mostThen = file.getMetadataValue(Bytes.toBytes(name));
    return mostThen != null && most <= Bytes.toLong(mostThen);
  }

  /**
   * @param most bytes of memory for an index of one file
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

  /** The indexes of one file; each until it fails. */
  private final class IndexedFile {
    private final Path path;
    private final NavigableMap<String, FileIndexBuilder> builders = new TreeMap<>();
    private final List<String> givenUp = new ArrayList<>(0);

    IndexedFile(Path path) {
      this.path = path;
      for (Making each : wanted) {
        Contained.quietly(
            () ->
                builders.put(
                    each.scheme().blockName(each.index().definition()),
                    each.scheme().builder(store, each.index())),
            e -> LOG.error("{} is written without '{}'", path, each.index().name(), e));
      }
    }

    void add(Cell cell, boolean inNewBlock) {
      builders
          .entrySet()
          .removeIf(
              builder -> {
                boolean added = adds(builder.getKey(), builder.getValue(), cell, inNewBlock);
                if (!added) {
                  builder.getValue().discard();
                }
                return !added;
              });
    }

    /** Whether that succeeded. */
    private boolean adds(String name, FileIndexBuilder builder, Cell cell, boolean inNewBlock) {
      try {
        if (inNewBlock) {
          builder.endBlock();
        }
        builder.add(cell);
        if (!inNewBlock || builder.heap() <= most) {
          return true;
        }
        givenUp.add(name);
        LOG.warn("{} is written without '{}', which takes more than {} bytes", path, name, most);
      } catch (IOException | OutOfMemoryError e) {
        // There may be room the next time, on the disk or in memory.
        LOG.error("{} is written without '{}'", path, name, e);
      } catch (Throwable e) {
        givenUp.add(name);
        LOG.error("{} is written without '{}'", path, name, Contained.containable(e));
      }
      return false;
    }

    /** Backwards: HBase looks from the front for the place of a block, which so is the first. */
    void finish(StoreFileWriter writer, BooleanSupplier isWanted) throws InterruptedIOException {
      tell(writer);
      for (var each : builders.descendingMap().entrySet()) {
        try {
          // The block by which the others are found comes last.
          for (var block : each.getValue().finish(isWanted).descendingMap().entrySet()) {
            MetaBlocks.append(writer, each.getKey() + block.getKey(), block.getValue());
          }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
          each.getValue().discard();
          if (!isWanted.getAsBoolean()) {
            discard();
            throw (InterruptedIOException)
                new InterruptedIOException(path + " is not wanted any more").initCause(e);
          }
          LOG.error("{} is written without '{}'", path, each.getKey(), e);
        }
      }
    }

    private void tell(StoreFileWriter writer) {
      for (String name : givenUp) {
        Contained.quietly(
            () -> writer.appendFileInfo(Bytes.toBytes(name), Bytes.toBytes(most)),
            e -> LOG.warn("{} does not tell that it lacks '{}'", path, name, e));
      }
    }

    void discard() {
      builders.values().forEach(FileIndexBuilder::discard);
    }
  }

  @Override
  public CellSink observe(CellSink sink) {
    if (!(sink instanceof StoreFileWriter writer)) {
      return sink;
    }
    IndexedFile file = new IndexedFile(writer.getPath());
    underWay.put(writer, file);
    return new Sink(writer, file);
  }

  @Override
  public void finish(StoreFileWriter writer, BooleanSupplier isWanted)
      throws InterruptedIOException {
    IndexedFile file = underWay.remove(writer);
    if (file != null) {
      file.finish(writer, isWanted);
    }
  }

  @Override
  public void abandon(CellSink sink) {
    IndexedFile file = sink instanceof StoreFileWriter writer ? underWay.remove(writer) : null;
    if (file != null) {
      file.discard();
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
