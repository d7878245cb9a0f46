package io.deli.fileindex.internal.embedded;

import io.deli.fileindex.internal.blocks.FileIndex;
import io.deli.fileindex.internal.blocks.FileIndexBuilder;
import io.deli.fileindex.internal.blocks.Scheme;
import io.deli.strategy.Index;
import io.deli.strategy.embedded.EmbeddedStrategy;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bloom filter and bounds of the tokens of each block. */
public final class Filters implements Scheme {
  private static final Logger LOG = LoggerFactory.getLogger(Filters.class);

  @Override
  public String name() {
    return "deli.embedded";
  }

  @Override
  public FileIndexBuilder builder(HStore store, Index index) {
    return new SketchBuilder(
        index, EmbeddedStrategy.BITS_PER_KEY.get(store.getReadOnlyConfiguration(), LOG::error));
  }

  @Override
  public FileIndex decode(String name, byte[] bytes) throws IOException {
    return FileSketch.from(bytes);
  }

  @Override
  public boolean readsFiles() {
    return true;
  }
}
