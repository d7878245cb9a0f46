package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.RowList;
import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.query.TokenRange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * A secondary index block: postings in the order of tokens and rows, each without what it has in
 * common with the one before. Every few of them, at a restart point, one has its row whole, and of
 * its token what it has not in common with the first of the block; so what all tokens begin with is
 * there once. A search begins at the last restart point that is before what is wanted.
 */
final class PostingBlock {
  static final int BYTES = 32 << 10;
  private static final int RESTART = 16;

  /** One in a hundred blocks is read in vain. */
  private static final int BITS_PER_TOKEN = 10;

  private PostingBlock() {}

  /** Makes one. */
  static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(BYTES);
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final List<Integer> restarts = new ArrayList<>();
    private final List<TokenRange> tokens = new ArrayList<>();
    private final List<Long> hashes = new ArrayList<>();
    private byte[] first = HConstants.EMPTY_BYTE_ARRAY;
    private byte[] token = HConstants.EMPTY_BYTE_ARRAY;
    private byte[] row = HConstants.EMPTY_BYTE_ARRAY;
    private int count;

    /** Adds a posting, which must be behind the last one. */
    void add(Posting posting) throws IOException {
      if (tokens.isEmpty() || !Arrays.equals(posting.token(), token)) {
        tokens.add(posting.tokens());
        hashes.add(TokenBloom.hash(posting.whole().orElse(posting.token())));
      }
      if (count % RESTART == 0) {
        restarts.add(bytes.size());
        token = first;
        row = HConstants.EMPTY_BYTE_ARRAY;
      }
      writeBehind(token, posting.token(), posting.isCut());
      writeBehind(row, posting.row(), false);
      WritableUtils.writeVLong(out, posting.newest());
      WritableUtils.writeVLong(out, posting.newest() - posting.oldest());
      token = posting.token();
      row = posting.row();
      first = count == 0 ? token : first;
      count++;
    }

    private void writeBehind(byte[] before, byte[] next, boolean isCut) throws IOException {
      int common = Bytes.findCommonPrefix(before, next, before.length, next.length, 0, 0);
      int rest = next.length - common;
      WritableUtils.writeVInt(out, common);
      WritableUtils.writeVInt(out, isCut ? ~rest : rest);
      out.write(next, common, rest);
    }

    boolean isEmpty() {
      return count == 0;
    }

    boolean isFull() {
      return bytes.size() >= BYTES;
    }

    /** The tokens of all postings so far, each once, or the range of one that was cut. */
    List<TokenRange> tokens() {
      return tokens;
    }

    /** Of the whole tokens. */
    TokenBloom filter() {
      return TokenBloom.of(hashes, BITS_PER_TOKEN);
    }

    byte[] toBytes() throws IOException {
      for (int restart : restarts) {
        out.writeInt(restart);
      }
      out.writeInt(restarts.size());
      return bytes.toByteArray();
    }
  }

  /**
   * Finds the rows of wanted tokens, token by token, those of one in their order.
   *
   * @param found takes them until it is full
   * @throws RuntimeException if it is no posting block
   */
  static void search(ByteBuffer block, Wanted wanted, RowList.Builder found) {
    if (!block.hasRemaining()) {
      throw new IllegalStateException("the posting block was lost when its file was written");
    }
    TokenRange tokens = wanted.tokens();
    byte[] first = tokens.first();
    Optional<byte[]> end = tokens.end();
    Cursor cursor = new Cursor(block);
    // Many rows may have one token; of several tokens any may be of any row.
    byte[] row = tokens.isSingle() ? wanted.start() : HConstants.EMPTY_BYTE_ARRAY;
    cursor.seek(first, row);
    boolean isWanted = false;
    while (!found.isFull() && cursor.next()) {
      if (cursor.atNextToken) {
        if (end.isPresent() && cursor.token.compareTo(end.get()) >= 0) {
          return;
        }
        isWanted = cursor.token.compareTokens(first) >= 0 && cursor.token.mayBeIn(tokens);
      }
      if (isWanted
          && wanted.mayBeOf(cursor.oldest, cursor.newest)
          && wanted.isInRange(cursor.row.bytes, cursor.row.length)) {
        found.add(cursor.row.copy(), cursor.newest);
      }
    }
  }

  /** Bytes of which a beginning may be kept for the next ones. */
  private static final class Text {
    private static final int NONE = -1;

    private byte[] bytes = new byte[64];
    private int length = NONE;
    private boolean isCut;

    /** Whether it may differ from the one before. */
    boolean read(ByteBuffer from) {
      int common = (int) Posting.readVLong(from);
      int rest = (int) Posting.readVLong(from);
      isCut = rest < 0;
      rest = isCut ? ~rest : rest;
      boolean same = rest == 0 && common == length;
      length = common + rest;
      reserve(length);
      from.get(bytes, common, rest);
      return !same;
    }

    private void reserve(int size) {
      if (size > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size, 2 * bytes.length));
      }
    }

    /** Has what is read next keep a beginning of another one. */
    void goBehind(Text other) {
      reserve(other.length);
      System.arraycopy(other.bytes, 0, bytes, 0, other.length);
      length = NONE;
    }

    int compareTo(byte[] other) {
      return Bytes.compareTo(bytes, 0, length, other, 0, other.length);
    }

    /** The same, but equal to whatever begins with it if it was cut. */
    int compareTokens(byte[] other) {
      int compared = isCut ? Math.min(length, other.length) : other.length;
      return Bytes.compareTo(bytes, 0, length, other, 0, compared);
    }

    boolean mayBeIn(TokenRange tokens) {
      return isCut ? tokens.overlaps(TokenRange.startingWith(copy())) : tokens.contains(copy());
    }

    byte[] copy() {
      return Arrays.copyOf(bytes, length);
    }
  }

  /** A place among the postings. */
  private static final class Cursor {
    private final ByteBuffer whole;
    private final ByteBuffer in;
    private final int restarts;
    private final Text firstToken = new Text();
    private final Text token = new Text();
    private final Text row = new Text();
    private boolean atNextToken;
    private long oldest;
    private long newest;

    Cursor(ByteBuffer block) {
      whole = block.slice();
      restarts = whole.getInt(whole.limit() - Integer.BYTES);
      in = whole.duplicate().limit(place(0));
      firstToken.read(in);
    }

    /** Goes to the last restart point whose posting is before this one, or to the first. */
    void seek(byte[] wantedToken, byte[] wantedRow) {
      int low = 0;
      int high = restarts - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        goTo(middle);
        token.read(in);
        int order = token.compareTokens(wantedToken);
        if (order == 0) {
          row.read(in);
          order = row.compareTo(wantedRow);
        }
        if (order < 0) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      goTo(low);
    }

    private void goTo(int restart) {
      in.position(whole.getInt(place(restart)));
      token.goBehind(firstToken);
    }

    /** The position of the number that says where a restart point is. */
    private int place(int restart) {
      return whole.limit() - Integer.BYTES * (1 + restarts - restart);
    }

    boolean next() {
      if (!in.hasRemaining()) {
        return false;
      }
      atNextToken = token.read(in);
      row.read(in);
      newest = Posting.readVLong(in);
      oldest = newest - Posting.readVLong(in);
      return true;
    }
  }
}
