package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/** A secondary index block: postings in the order of their tokens. */
final class PostingBlock {
  private static final int BYTES = 32 << 10;

  private PostingBlock() {}

  /** Makes one. */
  static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final List<byte[]> tokens = new ArrayList<>();

    /** Adds all postings of a token, which must be behind the last one's. */
    void add(byte[] token, Posting last) {
      tokens.add(token);
      Deque<Posting> postings = last.ascending();
      try {
        Bytes.writeByteArray(out, token);
        WritableUtils.writeVInt(out, postings.size());
        for (Posting posting : postings) {
          WritableUtils.writeVInt(out, posting.block());
          WritableUtils.writeVLong(out, posting.newest());
          WritableUtils.writeVLong(out, posting.newest() - posting.oldest());
        }
      } catch (IOException e) {
        throw new UncheckedIOException("memory takes all", e);
      }
    }

    boolean isFull() {
      return bytes.size() >= BYTES;
    }

    List<byte[]> tokens() {
      return tokens;
    }

    byte[] toBytes() {
      return bytes.toByteArray();
    }
  }

  /**
   * Finds the blocks of wanted tokens.
   *
   * @param found gets their numbers and the greatest timestamp that is known of each
   */
  static void search(byte[] bytes, Wanted wanted, SortedMap<Integer, Long> found)
      throws IOException {
    TokenRange tokens = wanted.tokens();
    Optional<byte[]> end = tokens.end();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        byte[] token = Bytes.readByteArray(in);
        if (end.isPresent() && Bytes.compareTo(token, end.get()) >= 0) {
          return;
        }
        boolean matches = tokens.contains(token);
        for (int left = WritableUtils.readVInt(in); left > 0; left--) {
          int block = WritableUtils.readVInt(in);
          long newest = WritableUtils.readVLong(in);
          long oldest = newest - WritableUtils.readVLong(in);
          if (matches && wanted.mayBeOf(oldest, newest)) {
            found.merge(block, newest, Math::max);
          }
        }
      }
    }
  }
}
