package io.deli.coprocessor.internal.embedded;

import io.deli.index.Index;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.ShipperListener;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sketches of the files that a store writes, and puts them into these. Thread-safe.
 *
 * <p>It never fails a flush or compaction: a file without sketch is read for it when a lookup needs
 * it.
 */
final class Sketcher {
  private static final Logger LOG = LoggerFactory.getLogger(Sketcher.class);

  private final HStore store;
  private final Collection<Index> indexes;
  // Weak, since nobody tells of a compaction that was given up.
  private final Map<StoreFileWriter, Sketch> underWay = new MapMaker().weakKeys().makeMap();

  Sketcher(HStore store, List<Index> indexes) {
    this.store = store;
    // A sketch serves all indexes of its kind.
    Map<String, Index> byKind = new TreeMap<>();
    indexes.forEach(index -> byKind.put(FileSketch.kind(index.definition()), index));
    this.indexes = byKind.values();
  }

  /** The sketches of one file; none any more once they have failed. */
  private static final class Sketch {
    private final List<SketchBuilder> builders;
    private boolean failed;

    Sketch(List<SketchBuilder> builders) {
      this.builders = builders;
    }

    void add(Cell cell, boolean inNewBlock) {
      if (failed) {
        return;
      }
      try {
        for (SketchBuilder builder : builders) {
          if (inNewBlock) {
            builder.endBlock();
          }
          builder.add(cell);
        }
      } catch (RuntimeException | LinkageError | StackOverflowError e) {
        // A tokenizer of the user's may throw anything; out of a flush it would abort the server.
        failed = true;
        LOG.error("a file is written without filters for lookups", e);
      }
    }
  }

  /** Where to write instead of to the writer. */
  CellSink sketching(CellSink sink) {
    if (!(sink instanceof StoreFileWriter writer)) {
      return sink;
    }
    int bits = Sketches.bitsPerToken(store);
    Sketch sketch =
        new Sketch(indexes.stream().map(index -> new SketchBuilder(index, bits)).toList());
    underWay.put(writer, sketch);
    return new Sink(writer, sketch);
  }

  /** To be called before the writer is closed. */
  void finish(StoreFileWriter writer) {
    Sketch sketch = underWay.remove(writer);
    if (sketch == null || sketch.failed) {
      return;
    }
    try {
      for (SketchBuilder builder : sketch.builders) {
        SketchBlock.append(writer, builder.kind(), builder.build());
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.error("{} is written without filters for lookups", writer.getPath(), e);
    }
  }

  private record Sink(StoreFileWriter writer, Sketch sketch) implements CellSink, ShipperListener {
    @Override
    public void append(Cell cell) throws IOException {
      // HBase ends a block when it takes the first cell of the next one.
      long end = writer.getPos();
      writer.append(cell);
      sketch.add(cell, writer.getPos() != end);
    }

    @Override
    public void beforeShipped() throws IOException {
      writer.beforeShipped();
    }
  }
}
