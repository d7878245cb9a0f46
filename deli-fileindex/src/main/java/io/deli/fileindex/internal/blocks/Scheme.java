package io.deli.fileindex.internal.blocks;

import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStore;

/** A way to index the blocks of files. Stateless. */
public interface Scheme {
  /** Tells the blocks in which its indexes are written from those of others. */
  String name();

  /** For a file that the store is about to write. */
  FileIndexBuilder builder(HStore store, Index index);

  /**
   * Takes an index out of its bytes.
   *
   * @param name of the block that they are from
   * @throws IOException if they are in another format
   */
  FileIndex decode(String name, byte[] bytes) throws IOException;

  /**
   * Whether a file that was written without an index is read for it. If not, all of it is searched
   * until it is compacted.
   */
  boolean readsFiles();

  /**
   * Bytes from which on a file that was written without an index is compacted for it when its
   * region opens.
   */
  default long compactedFrom(HStore store) {
    return Long.MAX_VALUE;
  }

  /**
   * The name of the first block in which a file keeps its index; the names of others begin with it.
   * It has all that tokens depend on: the index of a file is good for every definition of the same
   * name, and for no other.
   */
  default String blockName(IndexDefinition definition) {
    return name() + " " + definition.tokenSource();
  }
}
