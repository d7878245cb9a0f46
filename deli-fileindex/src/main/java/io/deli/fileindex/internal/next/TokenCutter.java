package io.deli.fileindex.internal.next;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Cuts long tokens to what tells them from their neighbours, and some bytes more.
 *
 * <p>ForestDB (section 3.1) indexes a key by as much of it as distinguishes it from the others, and
 * compares the rest with the document. Here it is the row that is compared, as it is for each
 * candidate. So of a file a lookup may have the rows of one token that it does not want, and of a
 * range those of one at each end. To keep these few, a token of many rows stays whole: it is
 * written once in a block, not once for each of them.
 *
 * <p>ForestDB's own HB+-trie took as many bytes of keys that few bytes tell apart, 0.8 to 1.1 of
 * them of keys of twenty nested prefixes, and read two or three blocks where postings read one.
 *
 * <p>No token that was cut begins another one of the file. Not thread-safe.
 */
final class TokenCutter implements PostingSorter.Sink {
  private static final int LONGEST_WHOLE = 24;
  private static final int KEPT = 8;
  private static final int MOST_ROWS = 16;

  private final PostingSorter.Sink next;
  private final List<Posting> held = new ArrayList<>();
  private byte[] before = HConstants.EMPTY_BYTE_ARRAY;
  private byte[] token = HConstants.EMPTY_BYTE_ARRAY;
  private boolean staysWhole;

  /**
   * @param next takes the postings in the same order, some of them later
   */
  TokenCutter(PostingSorter.Sink next) {
    this.next = next;
  }

  @Override
  public void take(Posting posting) throws IOException {
    if (!Arrays.equals(token, posting.token())) {
      release(posting.token());
      before = token;
      token = posting.token();
      staysWhole = token.length <= LONGEST_WHOLE;
    }
    // With the one token, which may be large.
    held.add(new Posting(token, posting.row(), posting.oldest(), posting.newest()));
    staysWhole |= held.size() > MOST_ROWS;
    if (staysWhole) {
      pass(token.length);
    }
  }

  /** No posting follows. */
  void end() throws IOException {
    release(HConstants.EMPTY_BYTE_ARRAY);
  }

  private void release(byte[] behind) throws IOException {
    pass(KEPT + Math.max(common(before), common(behind)));
  }

  private int common(byte[] other) {
    return Bytes.findCommonPrefix(token, other, token.length, other.length, 0, 0);
  }

  private void pass(int length) throws IOException {
    for (Posting posting : held) {
      next.take(length < token.length ? posting.cutTo(length) : posting);
    }
    held.clear();
  }
}
