package io.deli.fileindex.internal.embedded;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndexBuilder;
import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the sketch of a file. */
final class SketchBuilder extends FileIndexBuilder {
  private static final byte[] NONE = {};

  /** Of one in the set of a block, which a long row makes large. */
  private static final long HASH_BYTES = 64;

  private final int bitsPerToken;
  private final List<BlockSketch> done = new ArrayList<>();
  private final Set<Long> hashes = new HashSet<>();
  private byte[] least = NONE;
  private byte[] greatest = NONE;
  private long oldest = Long.MAX_VALUE;
  private long newest = Long.MIN_VALUE;
  private long weight;

  SketchBuilder(Index index, int bitsPerToken) {
    super(index);
    this.bitsPerToken = bitsPerToken;
  }

  @Override
  protected void add(byte[] row, byte[] token, long timestamp) {
    if (hashes.isEmpty() || Bytes.compareTo(token, least) < 0) {
      least = token;
    }
    if (hashes.isEmpty() || Bytes.compareTo(token, greatest) > 0) {
      greatest = token;
    }
    hashes.add(TokenBloom.hash(token));
    oldest = Math.min(oldest, timestamp);
    newest = Math.max(newest, timestamp);
  }

  @Override
  protected void end(int number) {
    TokenRange zone =
        hashes.isEmpty()
            ? TokenRange.of(NONE, Optional.of(NONE))
            : bounds(least, TokenRange.only(greatest).end());
    BlockSketch sketch = new BlockSketch(zone, oldest, newest, TokenBloom.of(hashes, bitsPerToken));
    done.add(sketch);
    weight += sketch.weight();
    hashes.clear();
    oldest = Long.MAX_VALUE;
    newest = Long.MIN_VALUE;
  }

  @Override
  protected NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted)
      throws IOException {
    byte[] bytes = FileSketch.toBytes(blocks, done);
    return new TreeMap<>(Map.of("", out -> out.write(bytes)));
  }

  @Override
  protected long weight() {
    return weight + HASH_BYTES * hashes.size();
  }
}
