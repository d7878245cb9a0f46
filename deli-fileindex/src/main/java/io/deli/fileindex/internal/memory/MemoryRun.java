package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Entries in order. Immutable.
 *
 * <p>Beside them it holds eight bytes of each token, behind the beginning that all have in common:
 * to find a place among entries all over the heap would wait for memory at each step.
 */
final class MemoryRun {
  private final List<MemoryEntry> entries;

  private final byte[] least;

  /** For how many bytes all tokens are the same. */
  private final int shared;

  /** In the order of numbers; tokens that differ behind them have the same. */
  private final long[] heads;

  /**
   * @param sorted by {@link MemoryEntry#ORDER}, at least one, and never changed any more
   */
  MemoryRun(MemoryEntry... sorted) {
    entries = Arrays.asList(sorted);
    least = sorted[0].token();
    int mismatch = Arrays.mismatch(least, sorted[sorted.length - 1].token());
    shared = mismatch < 0 ? least.length : mismatch;
    heads = new long[sorted.length];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = head(sorted[i].token());
    }
  }

  private long head(byte[] token) {
    long head = 0;
    for (int i = shared; i < shared + Long.BYTES; i++) {
      head = head << Byte.SIZE | (i < token.length ? token[i] & 0xff : 0);
    }
    return head ^ Long.MIN_VALUE;
  }

  int size() {
    return entries.size();
  }

  /** The entries of both. */
  MemoryRun and(MemoryRun other) {
    MemoryEntry[] merged = new MemoryEntry[size() + other.size()];
    int i = 0;
    int j = 0;
    for (int k = 0; k < merged.length; k++) {
      boolean first =
          j == other.size()
              || (i < size()
                  && MemoryEntry.ORDER.compare(entries.get(i), other.entries.get(j)) <= 0);
      merged[k] = first ? entries.get(i++) : other.entries.get(j++);
    }
    return new MemoryRun(merged);
  }

  /** The entries whose tokens are from the first of a range on up to its end. */
  List<MemoryEntry> part(TokenRange tokens) {
    if (tokens.isEmpty()) {
      return List.of();
    }
    return entries.subList(place(tokens.first()), tokens.end().map(this::place).orElse(size()));
  }

  /** How many are ahead of all with the token. */
  private int place(byte[] token) {
    int order = Bytes.compareTo(token, 0, Math.min(shared, token.length), least, 0, shared);
    if (order != 0) {
      return order < 0 ? 0 : size();
    }
    long head = head(token);
    int from = firstAtOrAbove(head);
    if (from == size() || heads[from] != head) {
      return from;
    }
    int to = head == Long.MAX_VALUE ? size() : firstAtOrAbove(head + 1);
    return from + place(entries.subList(from, to), token);
  }

  private int firstAtOrAbove(long head) {
    int from = 0;
    int to = heads.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (heads[middle] < head) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** How many of a part of a run are ahead of all with the token. */
  static int place(List<MemoryEntry> part, byte[] token) {
    int found = Collections.binarySearch(part, MemoryEntry.first(token), MemoryEntry.ORDER);
    return found < 0 ? -found - 1 : found;
  }
}
