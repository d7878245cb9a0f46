package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.RowList;
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
 * common with the one before. Every few of them, at a restart point, one is whole, and a search
 * begins at the last of these that is before what is wanted.
 */
final class PostingBlock {
  private static final int BYTES = 32 << 10;
  private static final int RESTART = 16;

  private PostingBlock() {}

  /** Makes one. */
  static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(BYTES);
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final List<Integer> restarts = new ArrayList<>();
    private final List<byte[]> tokens = new ArrayList<>();
    private byte[] token = HConstants.EMPTY_BYTE_ARRAY;
    private byte[] row = HConstants.EMPTY_BYTE_ARRAY;
    private int count;

    /** Adds a posting, which must be behind the last one. */
    void add(Posting posting) throws IOException {
      if (tokens.isEmpty() || !Arrays.equals(posting.token(), token)) {
        tokens.add(posting.token());
      }
      if (count++ % RESTART == 0) {
        restarts.add(bytes.size());
        token = HConstants.EMPTY_BYTE_ARRAY;
        row = HConstants.EMPTY_BYTE_ARRAY;
      }
      writeBehind(token, posting.token());
      writeBehind(row, posting.row());
      WritableUtils.writeVLong(out, posting.newest());
      WritableUtils.writeVLong(out, posting.newest() - posting.oldest());
      token = posting.token();
      row = posting.row();
    }

    private void writeBehind(byte[] before, byte[] next) throws IOException {
      int common = Bytes.findCommonPrefix(before, next, before.length, next.length, 0, 0);
      WritableUtils.writeVInt(out, common);
      WritableUtils.writeVInt(out, next.length - common);
      out.write(next, common, next.length - common);
    }

    boolean isEmpty() {
      return count == 0;
    }

    boolean isFull() {
      return bytes.size() >= BYTES;
    }

    /** The tokens of all postings so far, each once. */
    List<byte[]> tokens() {
      return tokens;
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
    Optional<byte[]> end = tokens.end();
    Cursor cursor = new Cursor(block);
    // Many rows may have one token; of several tokens any may be of any row.
    byte[] row = tokens.isSingle() ? wanted.start() : HConstants.EMPTY_BYTE_ARRAY;
    cursor.seek(tokens.first(), row);
    boolean isWanted = false;
    while (!found.isFull() && cursor.next()) {
      if (cursor.atNextToken) {
        if (end.isPresent() && cursor.token.compareTo(end.get()) >= 0) {
          return;
        }
        isWanted = tokens.contains(cursor.token.copy());
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

    /** Whether it may differ from the one before. */
    boolean read(ByteBuffer from) {
      int common = (int) Posting.readVLong(from);
      int rest = (int) Posting.readVLong(from);
      boolean same = rest == 0 && common == length;
      length = common + rest;
      if (length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
      }
      from.get(bytes, common, rest);
      return !same;
    }

    void forget() {
      length = NONE;
    }

    int compareTo(byte[] other) {
      return Bytes.compareTo(bytes, 0, length, other, 0, other.length);
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
    private final Text token = new Text();
    private final Text row = new Text();
    private boolean atNextToken;
    private long oldest;
    private long newest;

    Cursor(ByteBuffer block) {
      whole = block.slice();
      restarts = whole.getInt(whole.limit() - Integer.BYTES);
      in = whole.duplicate().limit(place(0));
    }

    /** Goes to the last restart point whose posting is before this one, or to the first. */
    void seek(byte[] wantedToken, byte[] wantedRow) {
      int low = 0;
      int high = restarts - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        goTo(middle);
        next();
        int order = token.compareTo(wantedToken);
        if (order < 0 || (order == 0 && row.compareTo(wantedRow) < 0)) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      goTo(low);
    }

    private void goTo(int restart) {
      in.position(whole.getInt(place(restart)));
      token.forget();
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
