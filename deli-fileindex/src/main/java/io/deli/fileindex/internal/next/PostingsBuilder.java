package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndexBuilder;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import io.deli.token.Tokenizers;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the postings of a file.
 *
 * <p>NEXT, Algorithm 1, with one posting for all versions of a token in a row, where the paper has
 * one for each and a block instead of the row. Memory is bounded whatever the size of the file:
 * postings are sorted in runs ({@code PostingSorter}), and of posting blocks that do not fit, too,
 * only the zones stay here.
 */
final class PostingsBuilder extends FileIndexBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(PostingsBuilder.class);

  // A row may have any number of versions. Bytes, about, at which the next token begins anew.
  private static final int MOST_OF_ROW = 128 << 10;
  // The heads of its array and of that of the timestamps, these two, and what the map takes.
  private static final int TOKEN_OF_ROW = 16 + 16 + 16 + 40;

  private final ZoneSplit split;
  private final PostingSorter sorter;
  private final boolean ofPoints;
  private final NavigableMap<byte[], long[]> ofRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private long bytesOfRow;
  private byte[] row = HConstants.EMPTY_BYTE_ARRAY;

  private final NavigableMap<String, Content> encoded = new TreeMap<>();
  private final AtomicInteger unwritten = new AtomicInteger();
  private final List<List<TokenRange>> undivided = new ArrayList<>();
  private final List<List<TokenRange>> divided = new ArrayList<>();
  // Stays when they are dropped, so that none follow.
  private long dividedBytes;
  private PostingFilters filters = new PostingFilters();
  private long encodedBytes;

  PostingsBuilder(Index index, ZoneSplit split, PostingSorter sorter) {
    super(index);
    this.split = split;
    this.sorter = sorter;
    ofPoints =
        index.definition().type() == ValueType.POINT
            && index.definition().tokenizer().equals(Tokenizers.EXACT);
  }

  @Override
  protected void add(byte[] rowOfToken, byte[] token, long timestamp) throws IOException {
    if (!Bytes.equals(row, rowOfToken)) {
      endRow();
      row = rowOfToken;
    }
    long[] times = ofRow.get(token);
    if (times != null) {
      times[0] = Math.min(times[0], timestamp);
      times[1] = Math.max(times[1], timestamp);
      return;
    }
    if (bytesOfRow >= MOST_OF_ROW) {
      endRow();
    }
    ofRow.put(token, new long[] {timestamp, timestamp});
    bytesOfRow += TOKEN_OF_ROW + token.length;
  }

  private void endRow() throws IOException {
    for (Map.Entry<byte[], long[]> each : ofRow.entrySet()) {
      long[] times = each.getValue();
      sorter.add(new Posting(each.getKey(), row, times[0], times[1]));
    }
    ofRow.clear();
    bytesOfRow = 0;
  }

  /** Postings lead to rows. */
  @Override
  protected void end(int number) {}

  @Override
  protected NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted)
      throws IOException {
    endRow();
    PostingBlock.Writer[] writer = {new PostingBlock.Writer()};
    TokenCutter cutter =
        new TokenCutter(
            posting -> {
              writer[0].add(posting);
              if (writer[0].isFull()) {
                if (!isWanted.getAsBoolean()) {
                  throw new InterruptedIOException("nobody wants these postings any more");
                }
                end(writer[0]);
                writer[0] = new PostingBlock.Writer();
              }
            });
    sorter.forEach(cutter);
    cutter.end();
    if (!writer[0].isEmpty()) {
      end(writer[0]);
    }
    byte[] own = HConstants.EMPTY_BYTE_ARRAY;
    if (undivided.size() <= PostingFilters.BLOCKS) {
      own = filters.toBytes();
    } else {
      endFilters();
    }
    byte[] root =
        new FilePostings("", blocks, zonesFit() ? divided : undivided, ByteBuffer.wrap(own))
            .toBytes();
    encoded.put("", out -> out.write(root));
    return encoded;
  }

  private void end(PostingBlock.Writer writer) throws IOException {
    if (filters.isFull()) {
      endFilters();
    }
    byte[] block = writer.toBytes();
    encoded.put(FilePostings.suffix(undivided.size()), content(block));
    addZones(writer.tokens());
    filters.add(writer.filter());
  }

  private void addZones(List<TokenRange> tokens) {
    List<TokenRange> whole = List.of(bounds(tokens));
    undivided.add(whole);
    if (zonesFit()) {
      List<TokenRange> zones = split.divide(tokens, PostingBlock.BYTES / 32, this::bounds);
      divided.add(zones.size() == 1 ? whole : zones);
      dividedBytes += FilePostings.zoneBytes(zones);
      if (!zonesFit()) {
        divided.clear();
      }
    }
  }

  /** Zones that are too many for the cache of who reads the file would cost it the whole index. */
  private boolean zonesFit() {
    return dividedBytes <= split.mostBytes();
  }

  private void endFilters() throws IOException {
    encoded.put(FilePostings.suffixOfFilters(undivided.size() - 1), content(filters.toBytes()));
    filters = new PostingFilters();
  }

  private Content content(byte[] block) throws IOException {
    Optional<SpillFile> spilled = sorter.spilled();
    if (spilled.isEmpty()) {
      encodedBytes += block.length;
      return out -> out.write(block);
    }
    SpillFile file = spilled.get();
    long offset = file.length();
    file.append(block, 0, block.length);
    unwritten.incrementAndGet();
    return new SpilledBlock(file, offset, block.length, unwritten);
  }

  /**
   * A block in the file of what was spilled, which is closed behind the last one. HBase asks for it
   * when it ends its own file, and must not fail in that for an index: what cannot be read any more
   * is written empty, and lookups search that file whole. So is what was discarded, for HBase ends
   * a file, too, that it then deletes.
   *
   * @param unwritten how many blocks are left; none once they are discarded
   */
  private record SpilledBlock(SpillFile file, long offset, int length, AtomicInteger unwritten)
      implements Content {
    @Override
    public void write(DataOutput out) throws IOException {
      if (unwritten.get() > 0) {
        out.write(read());
        if (unwritten.decrementAndGet() == 0) {
          file.close();
        }
      }
    }

    private byte[] read() {
      try {
        return file.read(offset, length);
      } catch (IOException e) {
        LOG.error("a spilled posting block cannot be read; its file will be searched whole", e);
        return HConstants.EMPTY_BYTE_ARRAY;
      }
    }
  }

  /** Of points, the rectangle around them: on the curve, between its corners, lie many others. */
  private TokenRange bounds(List<TokenRange> tokens) {
    return ofPoints
        ? TokenRange.within(
            Box.around(tokens.stream().map(TokenRange::first).map(Box::point).toList()))
        : bounds(tokens.get(0).first(), tokens.get(tokens.size() - 1).end());
  }

  @Override
  protected long weight() {
    long ofZones =
        Stream.of(undivided, divided)
            .flatMap(List::stream)
            .mapToLong(FilePostings::zoneBytes)
            .sum();
    return sorter.heap() + bytesOfRow + encodedBytes + ofZones;
  }

  @Override
  protected void discard() {
    unwritten.set(0);
    sorter.close();
  }
}
