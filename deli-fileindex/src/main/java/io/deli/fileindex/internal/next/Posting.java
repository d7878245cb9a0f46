package io.deli.fileindex.internal.next;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The versions of one token in one block.
 *
 * @param oldest least timestamp
 * @param newest greatest timestamp
 * @param before the posting of the same token in an earlier block; null if there is none, for there
 *     are as many of these as there are rows
 */
record Posting(int block, long oldest, long newest, Posting before) {
  /** Bytes on the heap. */
  static final int WEIGHT = 40;

  static Posting at(long timestamp) {
    return new Posting(-1, timestamp, timestamp, null);
  }

  Posting and(Posting other) {
    return new Posting(
        block, Math.min(oldest, other.oldest), Math.max(newest, other.newest), before);
  }

  Posting in(int number, Posting earlier) {
    return new Posting(number, oldest, newest, earlier);
  }

  /** This and those before it, in the order of the blocks. */
  Deque<Posting> ascending() {
    Deque<Posting> ascending = new ArrayDeque<>();
    for (Posting each = this; each != null; each = each.before) {
      ascending.push(each);
    }
    return ascending;
  }
}
