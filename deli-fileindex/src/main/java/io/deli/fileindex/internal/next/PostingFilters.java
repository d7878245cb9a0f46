package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.TokenBloom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The Bloom filters of some posting blocks in a row, in a block of their own, or, if they are those
 * of all, in memory. A lookup of one token in a file that does not have it reads but this: in a
 * table of many regions most are without a hit, and their posting blocks need not be in memory. Not
 * thread-safe.
 */
final class PostingFilters {
  /** Posting blocks in a row; some 40 KB of filters. */
  static final int BLOCKS = 32;

  private final List<byte[]> filters = new ArrayList<>();
  private int bytes;

  void add(TokenBloom filter) {
    byte[] own = filter.toBytes();
    filters.add(own);
    bytes += own.length;
  }

  boolean isFull() {
    return filters.size() == BLOCKS;
  }

  byte[] toBytes() {
    int head = filters.size() * Integer.BYTES;
    ByteBuffer out = ByteBuffer.allocate(head + bytes);
    int place = head;
    for (byte[] filter : filters) {
      out.putInt(place);
      place += filter.length;
    }
    filters.forEach(out::put);
    return out.array();
  }

  /**
   * Whether a posting block may have a token; certain if not.
   *
   * @param block what {@link #toBytes} gave; of no bytes if it was lost
   * @param token its hash
   */
  static boolean mayHold(ByteBuffer block, int part, long token) {
    if (!block.hasRemaining()) {
      return true;
    }
    ByteBuffer in = block.slice();
    return TokenBloom.mayHold(in, in.getInt(part % BLOCKS * Integer.BYTES), token);
  }
}
