package io.deli.fileindex.internal.next;

import io.deli.config.DeliSettings;
import io.deli.fileindex.internal.blocks.FileIndex;
import io.deli.fileindex.internal.blocks.FileIndexBuilder;
import io.deli.fileindex.internal.blocks.Scheme;
import io.deli.strategy.Index;
import io.deli.strategy.next.NextStrategy;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of each token, sorted by token. */
public final class Postings implements Scheme {
  private static final Logger LOG = LoggerFactory.getLogger(Postings.class);

  /** Of the cache for what is known of files, what the zones of one may take. */
  private static final int SHARE_OF_CACHE = 8;

  @Override
  public String name() {
    return "deli.next";
  }

  @Override
  public FileIndexBuilder builder(HStore store, Index index) {
    Configuration conf = store.getReadOnlyConfiguration();
    ZoneSplit split =
        new ZoneSplit(
            NextStrategy.GAP.get(conf, LOG::error),
            NextStrategy.ZONES.get(conf, LOG::error),
            DeliSettings.BLOCK_INDEX_CACHE.get(conf, LOG::error) / SHARE_OF_CACHE);
    long inRun =
        Math.min(
            NextStrategy.SORT_BYTES.get(conf, LOG::error),
            DeliSettings.BLOCK_INDEX_WRITE.get(conf, LOG::error) / 2);
    // Where HBase has copies of jars, too.
    Path directory = Path.of(conf.get("hbase.local.dir", System.getProperty("java.io.tmpdir")));
    return new PostingsBuilder(index, split, new PostingSorter(directory, inRun));
  }

  @Override
  public FileIndex decode(String name, byte[] bytes) throws IOException {
    return FilePostings.from(name, bytes);
  }

  /** Lazy creation (section 5): a compaction rewrites the file, of itself or since it is asked. */
  @Override
  public boolean readsFiles() {
    return false;
  }

  @Override
  public long compactedFrom(HStore store) {
    long bytes = NextStrategy.UNINDEXED.get(store.getReadOnlyConfiguration(), LOG::error);
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }
}
