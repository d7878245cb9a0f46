package io.deli.fileindex.internal.blocks;

import io.deli.query.Box;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows that a query has found in the indexes of a store's files, for its pages to come: each is
 * a scan of its own, which asks for the same from a later row on.
 *
 * <p>NEXT, section 4, keeps the read history of a query, so that none of its blocks is read twice.
 * Here that would hold within a page only; and to find the rows behind it in the indexes again, for
 * every page, takes time by the square of their number. Files never change, so what was found in
 * one is good for as long as there is the file. Memory is looked at anew by every page. Immutable.
 *
 * @param start row from which on the lists are complete
 * @param lists by the paths of files
 */
record ReadHistory(byte[] start, Map<Path, Matches> lists) implements Weighed {
  /** Rows or blocks below which it takes less to find them again. */
  private static final int FEWEST = 256;

  /** The key that pages of one query have in common, and no others have. */
  record Query(
      StoreIndex index,
      ByteBuffer firstToken,
      Optional<ByteBuffer> endOfTokens,
      Optional<Box> box,
      long oldest,
      long newest,
      ByteBuffer end)
      implements Weighed {
    static Query of(StoreIndex index, Wanted wanted) {
      return new Query(
          index,
          ByteBuffer.wrap(wanted.tokens().first()),
          wanted.tokens().end().map(ByteBuffer::wrap),
          wanted.tokens().box(),
          wanted.times().getMin(),
          wanted.times().getMax(),
          ByteBuffer.wrap(wanted.end()));
    }

    @Override
    public long weight() {
      return (long) firstToken.capacity()
          + endOfTokens.map(ByteBuffer::capacity).orElse(0)
          + end.capacity();
    }
  }

  /** Whether lists hold enough to be kept. */
  static boolean isLong(Map<Path, Matches> lists) {
    return lists.values().stream().mapToInt(Matches::size).sum() >= FEWEST;
  }

  /** The lists that are good for a page from a row on; of the first page there are none. */
  Map<Path, Matches> behind(byte[] row) {
    Map<Path, Matches> good = new HashMap<>();
    if (Bytes.compareTo(start, row) < 0) {
      good.putAll(lists);
      good.values().removeIf(list -> !Rows.before(row, list.end()));
    }
    return good;
  }

  @Override
  public long weight() {
    return start.length + lists.values().stream().mapToLong(Matches::weight).sum();
  }
}
