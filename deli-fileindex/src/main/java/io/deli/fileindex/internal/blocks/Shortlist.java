package io.deli.fileindex.internal.blocks;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;

/**
 * The blocks of a file that may hold what is wanted; the others do not. Immutable.
 *
 * @param blocks all of the file
 * @param numbers of those that may, ascending
 * @param newest of each of these, no version with a wanted token is newer
 */
public record Shortlist(Blocks blocks, int[] numbers, long[] newest) implements Matches {
  public static Shortlist none(Blocks blocks) {
    return new Shortlist(blocks, new int[0], new long[0]);
  }

  /** Nothing is known of them. */
  public static Shortlist all(Blocks blocks) {
    long[] times = new long[blocks.count()];
    Arrays.fill(times, Long.MAX_VALUE);
    return new Shortlist(blocks, IntStream.range(0, blocks.count()).toArray(), times);
  }

  @Override
  public int blockCount() {
    return size();
  }

  @Override
  public int size() {
    return numbers.length;
  }

  @Override
  public long weight() {
    return (long) size() * (Integer.BYTES + Long.BYTES);
  }

  @Override
  public byte[] end() {
    return HConstants.EMPTY_END_ROW;
  }

  @Override
  public FileCursor cursor(Wanted wanted, SearchCount count) {
    return new BlockCursor(this, wanted, count);
  }

  @Override
  public boolean knowsTimes() {
    return size() == 0 || newest[0] < Long.MAX_VALUE;
  }

  /** The first place in the list at or behind a block; the list's length if there is none. */
  int placeOf(int block) {
    int place = Arrays.binarySearch(numbers, block);
    return place < 0 ? -1 - place : place;
  }

  @Override
  public Shortlist within(byte[] start, byte[] end) {
    int from = placeOf(blocks.blockOf(start));
    int to = from;
    while (to < size() && Rows.before(blocks.firstRow(numbers[to]), end)) {
      to++;
    }
    return from == 0 && to == size()
        ? this
        : new Shortlist(
            blocks, Arrays.copyOfRange(numbers, from, to), Arrays.copyOfRange(newest, from, to));
  }
}
