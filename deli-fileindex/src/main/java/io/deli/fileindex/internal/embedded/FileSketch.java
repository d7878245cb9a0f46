package io.deli.fileindex.internal.embedded;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex;
import io.deli.fileindex.internal.blocks.IntervalTree;
import io.deli.fileindex.internal.blocks.Shortlist;
import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Filters and bounds of a file's blocks, and the bounds once more, in a tree. Its form in bytes is
 * specified in the package documentation.
 */
final class FileSketch implements FileIndex {
  private static final byte FORMAT = 2;

  private final Blocks blocks;
  private final List<BlockSketch> sketches;
  private final IntervalTree<Integer> byTokens;

  /**
   * @param sketches of each block
   */
  FileSketch(Blocks blocks, List<BlockSketch> sketches) {
    this.blocks = blocks;
    this.sketches = List.copyOf(sketches);
    List<Integer> numbers = IntStream.range(0, sketches.size()).boxed().toList();
    byTokens = new IntervalTree<>(numbers, number -> sketches.get(number).zone());
  }

  @Override
  public Blocks blocks() {
    return blocks;
  }

  /** One for the whole file. */
  @Override
  public List<Zone> zones() {
    List<TokenRange> all =
        sketches.stream().map(BlockSketch::zone).filter(zone -> !zone.isEmpty()).toList();
    if (all.isEmpty()) {
      return List.of();
    }
    byte[] first = all.stream().map(TokenRange::first).min(Bytes.BYTES_COMPARATOR).orElseThrow();
    Optional<byte[]> end =
        all.stream().anyMatch(zone -> zone.end().isEmpty())
            ? Optional.empty()
            : all.stream().map(zone -> zone.end().orElseThrow()).max(Bytes.BYTES_COMPARATOR);
    return List.of(new Zone(TokenRange.of(first, end), 0));
  }

  @Override
  public Shortlist search(Wanted wanted, BitSet parts, Source source) {
    OptionalLong hash =
        wanted.tokens().isSingle()
            ? OptionalLong.of(TokenBloom.hash(wanted.tokens().first()))
            : OptionalLong.empty();
    BitSet found = new BitSet();
    byTokens.overlapping(
        wanted.tokens(), number -> found.set(number, sketches.get(number).mayHold(wanted, hash)));
    int[] numbers = found.stream().toArray();
    long[] newest = IntStream.of(numbers).mapToLong(n -> sketches.get(n).newest()).toArray();
    return new Shortlist(blocks, numbers, newest);
  }

  @Override
  public long weight() {
    return blocks.weight() + sketches.stream().mapToLong(BlockSketch::weight).sum();
  }

  static byte[] toBytes(Blocks blocks, List<BlockSketch> sketches) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      blocks.write(out);
      for (BlockSketch sketch : sketches) {
        sketch.write(out);
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} gave.
   *
   * @throws IOException if it is in another format
   */
  static FileSketch from(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IOException("filters in format %d; this DELI reads %d".formatted(format, FORMAT));
      }
      Blocks blocks = Blocks.read(in);
      List<BlockSketch> sketches = new ArrayList<>(blocks.count());
      for (int i = 0; i < blocks.count(); i++) {
        sketches.add(BlockSketch.read(in));
      }
      return new FileSketch(blocks, sketches);
    }
  }
}
