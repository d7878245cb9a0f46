package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndexBuilder;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import io.deli.token.Tokenizers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes the postings of a file.
 *
 * <p>NEXT, Algorithm 1, with one posting for all versions of a token in a block where the paper has
 * one for each: a lookup reads the block once in any case. The postings of a large file are in
 * several sorted runs, which as bytes take a fraction of what they do as objects.
 */
final class PostingsBuilder extends FileIndexBuilder {
  private static final long MOST_IN_RUN = 32 << 20;

  private final ZoneSplit split;
  private final long mostInRun;
  private final boolean ofPoints;
  private final NavigableMap<byte[], Posting> inBlock = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** The last posting of each token since the last posting block was made. */
  private final NavigableMap<byte[], Posting> run = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private final NavigableMap<String, byte[]> encoded = new TreeMap<>();
  private final List<List<TokenRange>> zones = new ArrayList<>();
  private long encodedBytes;
  private long weight;

  PostingsBuilder(Index index, ZoneSplit split) {
    this(index, split, MOST_IN_RUN);
  }

  /**
   * @param mostInRun bytes on the heap above which a run is sorted and encoded
   */
  PostingsBuilder(Index index, ZoneSplit split, long mostInRun) {
    super(index);
    this.split = split;
    this.mostInRun = mostInRun;
    ofPoints =
        index.definition().type() == ValueType.POINT
            && index.definition().tokenizer().equals(Tokenizers.EXACT);
  }

  @Override
  protected void add(byte[] token, long timestamp) {
    inBlock.merge(token, Posting.at(timestamp), Posting::and);
  }

  @Override
  protected void end(int number) {
    inBlock.forEach(
        (token, posting) -> {
          Posting before = run.get(token);
          run.put(token, posting.in(number, before));
          weight += before == null ? Posting.WEIGHT + 80 + token.length : Posting.WEIGHT;
        });
    inBlock.clear();
    if (weight > mostInRun) {
      endRun();
    }
  }

  private void endRun() {
    PostingBlock.Writer writer = new PostingBlock.Writer();
    for (Iterator<Map.Entry<byte[], Posting>> left = run.entrySet().iterator(); left.hasNext(); ) {
      Map.Entry<byte[], Posting> token = left.next();
      writer.add(token.getKey(), token.getValue());
      if (writer.isFull() || !left.hasNext()) {
        byte[] block = writer.toBytes();
        encoded.put(FilePostings.suffix(zones.size()), block);
        encodedBytes += block.length;
        zones.add(split.divide(writer.tokens(), this::bounds));
        writer = new PostingBlock.Writer();
      }
    }
    run.clear();
    weight = 0;
  }

  @Override
  protected NavigableMap<String, byte[]> encode(Blocks blocks) throws IOException {
    endRun();
    encoded.put("", new FilePostings("", blocks, zones).toBytes());
    return encoded;
  }

  /** Of points, the rectangle around them: on the curve, between its corners, lie many others. */
  private TokenRange bounds(List<byte[]> tokens) {
    return ofPoints
        ? TokenRange.within(Box.around(tokens.stream().map(Box::point).toList()))
        : bounds(tokens.get(0), tokens.get(tokens.size() - 1));
  }

  @Override
  protected long weight() {
    return weight + encodedBytes;
  }
}
