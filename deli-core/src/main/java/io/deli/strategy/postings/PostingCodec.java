package io.deli.strategy.postings;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.deli.entry.EntryCodec;
import io.deli.entry.TokenEncoding;
import io.deli.entry.WriteId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** Encodes postings as cells and decodes them; the package documentation specifies the format. */
final class PostingCodec {
  private static final int FORMAT = 1;

  /** Before a posting, so that a list comes ahead of the markers for what it begins with. */
  private static final byte LIST = 'L';

  private static final byte POSTING = 'P';
  private static final int NAME = 16;

  /**
   * Postings of a list at most: anyone who may write to the table may write lists, and a posting of
   * four bytes takes some two hundred in memory.
   */
  static final int MOST = 1 << 17;

  private PostingCodec() {}

  /** The qualifier of a posting in a cell of its own. */
  static byte[] qualifier(PostingListEntry posting) {
    return Bytes.add(place(posting), new byte[] {POSTING}, posting.id().toBytes());
  }

  /** Returns the common qualifier prefix of all cells whose first posting this is. */
  static byte[] place(PostingListEntry posting) {
    return Bytes.add(
        Bytes.toBytes(Long.MAX_VALUE - posting.timestamp()), TokenEncoding.encode(posting.key()));
  }

  /**
   * Returns the end of the qualifiers of all cells that begin with the posting, under any id, or
   * before it.
   */
  static byte[] behind(PostingListEntry posting) {
    return Bytes.add(place(posting), new byte[] {POSTING + 1});
  }

  /** Whether the cell is, or a marker's is, a list and not one posting. */
  static boolean isList(Cell cell) {
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    int place = placeLength(qualifier);
    return qualifier.length == place + 1 + NAME && qualifier[place] == LIST;
  }

  /** The place that a cell begins at; of a cell not in this format, its qualifier. */
  static byte[] place(Cell cell) {
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    try {
      return Arrays.copyOf(qualifier, placeLength(qualifier));
    } catch (IllegalArgumentException e) {
      return qualifier;
    }
  }

  private static int placeLength(byte[] qualifier) {
    if (qualifier.length < Bytes.SIZEOF_LONG) {
      throw new IllegalArgumentException("no posting: '" + Bytes.toStringBinary(qualifier) + "'");
    }
    return Bytes.SIZEOF_LONG
        + TokenEncoding.length(Arrays.copyOfRange(qualifier, Bytes.SIZEOF_LONG, qualifier.length));
  }

  /**
   * The posting that a cell of its own, or the marker for one, is about.
   *
   * @throws IllegalArgumentException if it is none
   */
  private static PostingListEntry posting(Cell cell) {
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    int place = placeLength(qualifier);
    long timestamp = Long.MAX_VALUE - Bytes.toLong(qualifier);
    if (qualifier.length == place
        || qualifier[place] != POSTING
        || timestamp != cell.getTimestamp()) {
      throw new IllegalArgumentException("no posting: " + CellUtil.getCellKeyAsString(cell));
    }
    return new PostingListEntry(
        key(qualifier, place),
        timestamp,
        WriteId.from(Arrays.copyOfRange(qualifier, place + 1, qualifier.length)));
  }

  private static byte[] key(byte[] qualifier, int place) {
    byte[] encoded = Arrays.copyOfRange(qualifier, Bytes.SIZEOF_LONG, place);
    return TokenEncoding.decode(encoded, encoded.length);
  }

  /**
   * The postings in a cell, in order; at least one.
   *
   * @throws IllegalArgumentException if the cell is not in this format
   */
  static List<PostingListEntry> postings(Cell cell) {
    if (!isList(cell)) {
      return List.of(posting(cell));
    }
    try {
      CodedInputStream in = CodedInputStream.newInstance(CellUtil.cloneValue(cell));
      int format = in.readRawByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException(
            "list in format %d, and this DELI reads %d: upgrade DELI here: %s"
                .formatted(format, FORMAT, CellUtil.getCellKeyAsString(cell)));
      }
      List<PostingListEntry> postings = new ArrayList<>();
      long timestamp = 0;
      while (!in.isAtEnd()) {
        if (postings.size() == MOST) {
          throw new IllegalArgumentException(
              "list of more than %d postings: %s"
                  .formatted(MOST, CellUtil.getCellKeyAsString(cell)));
        }
        long step = in.readUInt64();
        timestamp = postings.isEmpty() ? step : timestamp - step;
        byte[] key = in.readRawBytes(in.readRawVarint32());
        postings.add(
            new PostingListEntry(
                key, timestamp, WriteId.from(in.readRawBytes(in.readRawVarint32()))));
      }
      return postings;
    } catch (IOException e) {
      throw new IllegalArgumentException("no list: " + CellUtil.getCellKeyAsString(cell), e);
    }
  }

  /** The cell of its own of a posting. */
  static Cell cell(byte[] row, PostingListEntry posting) {
    return new KeyValue(
        row,
        EntryCodec.family(),
        qualifier(posting),
        posting.timestamp(),
        HConstants.EMPTY_BYTE_ARRAY);
  }

  /**
   * A list of postings.
   *
   * @param postings in order
   * @param random names the list as no other
   */
  static Cell cell(byte[] row, List<PostingListEntry> postings, RandomGenerator random) {
    byte[] name = new byte[NAME];
    random.nextBytes(name);
    return new KeyValue(
        row,
        EntryCodec.family(),
        Bytes.add(place(postings.get(0)), new byte[] {LIST}, name),
        postings.get(postings.size() - 1).timestamp(),
        value(postings));
  }

  /**
   * A list with other postings in its place.
   *
   * @param postings in order, at least one; a cell that is no list has but its own
   */
  @SuppressWarnings("deprecation") // of Cell; a cell of a file is of a private class
  static Cell cell(Cell list, List<PostingListEntry> postings) {
    KeyValue cell =
        new KeyValue(
            CellUtil.cloneRow(list),
            EntryCodec.family(),
            CellUtil.cloneQualifier(list),
            list.getTimestamp(),
            value(postings));
    cell.setSequenceId(list.getSequenceId());
    return cell;
  }

  private static byte[] value(List<PostingListEntry> postings) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeRawByte(FORMAT);
      Optional<PostingListEntry> last = Optional.empty();
      for (PostingListEntry posting : postings) {
        out.writeRawVarint64(step(posting, last));
        last = Optional.of(posting);
        write(out, posting.key());
        write(out, posting.id().toBytes());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private static void write(CodedOutputStream out, byte[] bytes) throws IOException {
    out.writeRawVarint32(bytes.length);
    out.writeRawBytes(bytes);
  }

  /** Bytes that a posting adds to a list behind another, or none. */
  static int size(PostingListEntry posting, Optional<PostingListEntry> before) {
    return CodedOutputStream.computeRawVarint64Size(step(posting, before))
        + size(posting.key())
        + size(posting.id().toBytes());
  }

  private static int size(byte[] bytes) {
    return CodedOutputStream.computeRawVarint32Size(bytes.length) + bytes.length;
  }

  private static long step(PostingListEntry posting, Optional<PostingListEntry> before) {
    return before.map(last -> last.timestamp() - posting.timestamp()).orElse(posting.timestamp());
  }
}
