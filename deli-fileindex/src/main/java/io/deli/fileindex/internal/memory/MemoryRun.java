package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.RandomAccess;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Entries in order. Immutable.
 *
 * <p>They are bytes in a few arrays: millions of objects that live as long as a flush is away would
 * be copied by every collection of garbage until they are old. Beside them are eight bytes of each
 * token, behind the beginning that all have in common: to find a place among entries all over the
 * heap would wait for memory at each step.
 */
final class MemoryRun {
  /** Ahead of an entry's token and row: the timestamp, and the lengths of both. */
  private static final int HEADER = Long.BYTES + Integer.BYTES + Short.BYTES;

  private final byte[][] chunks;

  /** Of each entry in order: the chunk that it is in, and where. */
  private final long[] places;

  private final byte[] least;

  /** For how many bytes all tokens are the same. */
  private final int shared;

  /** In the order of numbers; tokens that differ behind them have the same. */
  private final long[] heads;

  /**
   * @param places of at least one entry, in order
   * @param shared bytes with which all tokens begin
   * @param heads of their tokens behind these
   */
  private MemoryRun(byte[][] chunks, long[] places, int shared, long[] heads) {
    this.chunks = chunks;
    this.places = places;
    this.shared = shared;
    this.heads = heads;
    least = entry(0).token();
  }

  /** Takes entries in any order, as long as there is room for more. Not thread-safe. */
  static final class Builder {
    private static final int MOST = 4_096;
    private static final int MOST_BYTES = 1 << 20;
    private static final byte[] NO_BYTES = {};
    private static final int[] NO_PLACES = {};

    private byte[] bytes = NO_BYTES;
    private int length;
    private int[] places = NO_PLACES;
    private int count;

    boolean isEmpty() {
      return count == 0;
    }

    /** Takes no memory for it: there may be none. */
    void clear() {
      bytes = NO_BYTES;
      length = 0;
      places = NO_PLACES;
      count = 0;
    }

    /** Few enough for the processor's cache to hold them while they are sorted. */
    boolean isFull() {
      return count == MOST || length >= MOST_BYTES;
    }

    /** Adds an entry of a cell's row and timestamp. */
    void add(byte[] token, Cell cell) {
      int size = length(token, cell);
      if (bytes.length - length < size) {
        bytes = Arrays.copyOf(bytes, Math.max(length + size, 2 * bytes.length));
      }
      if (count == places.length) {
        places = Arrays.copyOf(places, Math.max(16, 2 * count));
      }
      places[count] = length;
      int at = Bytes.putLong(bytes, length, cell.getTimestamp());
      at = Bytes.putInt(bytes, at, token.length);
      at = Bytes.putShort(bytes, at, cell.getRowLength());
      at = Bytes.putBytes(bytes, at, token, 0, token.length);
      CellUtil.copyRowTo(cell, bytes, at);
      length += size;
      count++;
    }

    private record Ranked(long head, int place) {}

    /** Returns a run of all, of which there must be some. */
    MemoryRun build() {
      byte[] chunk = Arrays.copyOf(bytes, length);
      int shared = tokenLength(chunk, places[0]);
      for (int i = 1; i < count; i++) {
        shared = sharedWithFirst(chunk, places[i], shared);
      }
      Ranked[] ranked = new Ranked[count];
      for (int i = 0; i < count; i++) {
        ranked[i] = new Ranked(headOf(chunk, places[i], shared), places[i]);
      }
      Arrays.sort(
          ranked,
          Comparator.comparingLong(Ranked::head)
              .thenComparing((one, other) -> compare(chunk, one.place(), chunk, other.place())));
      long[] sorted = new long[count];
      Arrays.setAll(sorted, i -> ranked[i].place());
      long[] heads = new long[count];
      Arrays.setAll(heads, i -> ranked[i].head());
      return new MemoryRun(new byte[][] {chunk}, sorted, shared, heads);
    }

    private static int sharedWithFirst(byte[] chunk, int at, int most) {
      int first = token(0);
      int own = token(at);
      int end = own + Math.min(most, tokenLength(chunk, at));
      int mismatch = Arrays.mismatch(chunk, first, first + most, chunk, own, end);
      return mismatch < 0 ? most : mismatch;
    }
  }

  /** Bytes on the heap of an entry in a run, about. */
  static int weight(byte[] token, Cell cell) {
    return 2 * Long.BYTES + length(token, cell);
  }

  private static int length(byte[] token, Cell cell) {
    return HEADER + token.length + cell.getRowLength();
  }

  private static int token(int entry) {
    return entry + HEADER;
  }

  private static int tokenLength(byte[] chunk, int entry) {
    return Bytes.toInt(chunk, entry + Long.BYTES);
  }

  private static int rowLength(byte[] chunk, int entry) {
    return Bytes.toShort(chunk, entry + Long.BYTES + Integer.BYTES);
  }

  /** By token; those of one token newest first. */
  private static int compare(byte[] chunk, int entry, byte[] otherChunk, int other) {
    int length = tokenLength(chunk, entry);
    int otherLength = tokenLength(otherChunk, other);
    int order = Bytes.compareTo(chunk, token(entry), length, otherChunk, token(other), otherLength);
    if (order == 0) {
      order = Long.compare(Bytes.toLong(otherChunk, other), Bytes.toLong(chunk, entry));
    }
    return order == 0
        ? Bytes.compareTo(
            chunk,
            token(entry) + length,
            rowLength(chunk, entry),
            otherChunk,
            token(other) + otherLength,
            rowLength(otherChunk, other))
        : order;
  }

  private static long headOf(byte[] chunk, int entry, int shared) {
    return head(chunk, token(entry) + shared, tokenLength(chunk, entry) - shared);
  }

  private static long head(byte[] bytes, int offset, int length) {
    long head = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      head = head << Byte.SIZE | (i < length ? bytes[offset + i] & 0xff : 0);
    }
    return head ^ Long.MIN_VALUE;
  }

  private byte[] chunk(int i) {
    return chunks[(int) (places[i] >>> Integer.SIZE)];
  }

  private int offset(int i) {
    return (int) places[i];
  }

  private MemoryEntry entry(int i) {
    byte[] chunk = chunk(i);
    int at = offset(i);
    int row = token(at) + tokenLength(chunk, at);
    return new MemoryEntry(
        Arrays.copyOfRange(chunk, token(at), row),
        Bytes.toLong(chunk, at),
        Arrays.copyOfRange(chunk, row, row + rowLength(chunk, at)));
  }

  int size() {
    return places.length;
  }

  /** How many arrays hold the entries. */
  int countChunks() {
    return chunks.length;
  }

  /** The entries of both. */
  MemoryRun and(MemoryRun other) {
    byte[][] all = Arrays.copyOf(chunks, chunks.length + other.chunks.length);
    System.arraycopy(other.chunks, 0, all, chunks.length, other.chunks.length);
    long others = (long) chunks.length << Integer.SIZE;
    long[] merged = new long[size() + other.size()];
    int i = 0;
    int j = 0;
    for (int k = 0; k < merged.length; k++) {
      boolean first =
          j == other.size()
              || (i < size() && compare(chunk(i), offset(i), other.chunk(j), other.offset(j)) <= 0);
      merged[k] = first ? places[i++] : other.places[j++] + others;
    }
    int mismatch = Arrays.mismatch(least, other.least);
    int same = mismatch < 0 ? least.length : mismatch;
    int sharedByBoth = Math.min(same, Math.min(shared, other.shared));
    long[] headsOfBoth = new long[merged.length];
    for (int k = 0; k < merged.length; k++) {
      byte[] chunk = all[(int) (merged[k] >>> Integer.SIZE)];
      headsOfBoth[k] = headOf(chunk, (int) merged[k], sharedByBoth);
    }
    MemoryRun both = new MemoryRun(all, merged, sharedByBoth, headsOfBoth);
    long bytes = Arrays.stream(all).mapToLong(chunk -> chunk.length).sum();
    return both.size() < Builder.MOST && bytes < Builder.MOST_BYTES
        ? both.inOneChunk(new byte[(int) bytes])
        : both;
  }

  /** The same: where lookups come between writes, there would be an array for each few entries. */
  private MemoryRun inOneChunk(byte[] chunk) {
    long[] own = new long[size()];
    int filled = 0;
    for (int i = 0; i < own.length; i++) {
      own[i] = filled;
      System.arraycopy(chunk(i), offset(i), chunk, filled, length(i));
      filled += length(i);
    }
    return new MemoryRun(new byte[][] {chunk}, own, shared, heads);
  }

  private int length(int i) {
    byte[] chunk = chunk(i);
    int at = offset(i);
    return HEADER + tokenLength(chunk, at) + rowLength(chunk, at);
  }

  /** Entries that follow one another, each made when it is asked for. */
  final class Part extends AbstractList<MemoryEntry> implements RandomAccess {
    private final int from;
    private final int to;

    Part(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public MemoryEntry get(int i) {
      return entry(from + i);
    }

    @Override
    public int size() {
      return to - from;
    }

    /** The parts of it that have one token each. */
    Stream<Part> byToken() {
      return Stream.iterate(ofToken(from), part -> !part.isEmpty(), part -> ofToken(part.to));
    }

    private Part ofToken(int first) {
      return first == to
          ? new Part(to, to)
          : new Part(first, Math.min(to, place(TokenRange.successor(entry(first).token()))));
    }
  }

  /** The entries whose tokens are from the first of a range on up to its end. */
  Part part(TokenRange tokens) {
    return tokens.isEmpty()
        ? new Part(0, 0)
        : new Part(place(tokens.first()), tokens.end().map(this::place).orElse(size()));
  }

  /** How many are ahead of all with the token. */
  private int place(byte[] token) {
    int order = Bytes.compareTo(token, 0, Math.min(shared, token.length), least, 0, shared);
    if (order != 0) {
      return order < 0 ? 0 : size();
    }
    long head = head(token, shared, token.length - shared);
    return first(i -> heads[i] < head || (heads[i] == head && compare(i, token) < 0));
  }

  private int compare(int i, byte[] token) {
    byte[] chunk = chunk(i);
    int at = offset(i);
    return Bytes.compareTo(chunk, token(at), tokenLength(chunk, at), token, 0, token.length);
  }

  /** The first of the entries that is not before something. */
  private int first(IntPredicate isBefore) {
    int from = 0;
    int to = size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (isBefore.test(middle)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
