package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex;
import io.deli.fileindex.internal.blocks.Matches;
import io.deli.fileindex.internal.blocks.RowList;
import io.deli.fileindex.internal.blocks.Shortlist;
import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What is kept in memory of a file's postings: where each posting block's tokens are. Their form in
 * bytes is specified in the package documentation.
 *
 * @param name under which the file has it; those of the posting blocks begin with it
 * @param zonesOfParts ranges of the tokens of each posting block
 * @param filters of all posting blocks, if these are few; of no bytes if there are others in blocks
 */
record FilePostings(
    String name, Blocks blocks, List<List<TokenRange>> zonesOfParts, ByteBuffer filters)
    implements FileIndex {
  private static final byte FORMAT = 5;

  /** A range of more tokens than are in as many posting blocks is in most blocks of rows. */
  private static final int MOST_READ = 1_000;

  static String suffix(int part) {
    return " " + part;
  }

  static String suffixOfFilters(int part) {
    return " filters " + part / PostingFilters.BLOCKS;
  }

  @Override
  public List<Zone> zones() {
    List<Zone> zones = new ArrayList<>();
    for (int part = 0; part < zonesOfParts.size(); part++) {
      for (TokenRange range : zonesOfParts.get(part)) {
        zones.add(new Zone(range, part));
      }
    }
    return zones;
  }

  @Override
  public Matches search(Wanted wanted, BitSet parts, Source source) throws IOException {
    if (parts.cardinality() > MOST_READ) {
      return Shortlist.all(blocks);
    }
    boolean isSingle = wanted.tokens().isSingle();
    // However many of its tokens are wanted, a row is in the list once.
    RowList.Builder found = new RowList.Builder(blocks, wanted.inOrder() && isSingle);
    OptionalLong only =
        isSingle ? OptionalLong.of(TokenBloom.hash(wanted.tokens().first())) : OptionalLong.empty();
    for (int part = parts.nextSetBit(0);
        part >= 0 && !found.isFull();
        part = parts.nextSetBit(part + 1)) {
      if (only.isPresent() && !mayHold(part, only.getAsLong(), source)) {
        continue;
      }
      source.read(name + suffix(part), block -> PostingBlock.search(block, wanted, found));
    }
    return found.build();
  }

  @Override
  public boolean mayHold(long token) {
    for (int part = 0; part < zonesOfParts.size(); part++) {
      if (PostingFilters.mayHold(filters, part, token)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayHold(int part, long token, Source source) throws IOException {
    if (filters.hasRemaining()) {
      return PostingFilters.mayHold(filters, part, token);
    }
    boolean[] mayHold = {true};
    source.read(
        name + suffixOfFilters(part),
        filters -> mayHold[0] = PostingFilters.mayHold(filters, part, token));
    return mayHold[0];
  }

  @Override
  public long weight() {
    return blocks.weight()
        + zonesOfParts.stream().mapToLong(FilePostings::zoneBytes).sum()
        + filters.remaining();
  }

  /** Bytes on the heap of the zones of a posting block, about. */
  static long zoneBytes(List<TokenRange> zones) {
    return zones.stream().mapToLong(zone -> 320L + 4L * zone.first().length).sum();
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      blocks.write(out);
      out.writeInt(zonesOfParts.size());
      for (List<TokenRange> zones : zonesOfParts) {
        out.writeInt(zones.size());
        for (TokenRange zone : zones) {
          zone.write(out);
        }
      }
      Bytes.writeByteArray(out, Bytes.getBytes(filters));
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} gave.
   *
   * @throws IOException if it is in another format
   */
  static FilePostings from(String name, byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IOException(
            "postings in format %d; this DELI reads %d".formatted(format, FORMAT));
      }
      Blocks blocks = Blocks.read(in);
      int count = in.readInt();
      List<List<TokenRange>> parts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int zones = in.readInt();
        List<TokenRange> ranges = new ArrayList<>(zones);
        for (int j = 0; j < zones; j++) {
          ranges.add(TokenRange.read(in));
        }
        parts.add(ranges);
      }
      return new FilePostings(name, blocks, parts, ByteBuffer.wrap(Bytes.readByteArray(in)));
    }
  }
}
