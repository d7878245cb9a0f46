package io.deli.coprocessor.internal.next;

import io.deli.coprocessor.internal.blocks.Blocks;
import io.deli.coprocessor.internal.blocks.FileIndexBuilder;
import io.deli.index.Index;
import io.deli.query.TokenRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes the postings of a file.
 *
 * <p>NEXT, Algorithm 1, with one posting for all versions of a token in a block where the paper has
 * one for each: a lookup reads the block once in any case.
 */
final class PostingsBuilder extends FileIndexBuilder {
  private final ZoneSplit split;
  private final NavigableMap<byte[], Posting> inBlock = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** The last posting of each token. */
  private final NavigableMap<byte[], Posting> all = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private long weight;

  PostingsBuilder(Index index, ZoneSplit split) {
    super(index);
    this.split = split;
  }

  @Override
  protected void add(byte[] token, long timestamp) {
    inBlock.merge(token, Posting.at(timestamp), Posting::and);
  }

  @Override
  protected void end(int number) {
    inBlock.forEach(
        (token, posting) -> {
          Posting before = all.get(token);
          all.put(token, posting.in(number, before));
          weight += before == null ? Posting.WEIGHT + 80 + token.length : Posting.WEIGHT;
        });
    inBlock.clear();
  }

  @Override
  protected SortedMap<String, byte[]> encode(Blocks blocks) throws IOException {
    SortedMap<String, byte[]> encoded = new TreeMap<>();
    List<List<TokenRange>> zones = new ArrayList<>();
    PostingBlock.Writer writer = new PostingBlock.Writer();
    for (Iterator<Map.Entry<byte[], Posting>> left = all.entrySet().iterator(); left.hasNext(); ) {
      Map.Entry<byte[], Posting> token = left.next();
      writer.add(token.getKey(), token.getValue());
      if (writer.isFull() || !left.hasNext()) {
        encoded.put(FilePostings.suffix(zones.size()), writer.toBytes());
        zones.add(split.divide(writer.tokens(), FileIndexBuilder::bounds));
        writer = new PostingBlock.Writer();
      }
    }
    encoded.put("", new FilePostings("", blocks, zones).toBytes());
    return encoded;
  }

  @Override
  protected long weight() {
    return weight;
  }
}
