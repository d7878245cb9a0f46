package io.deli.coprocessor.internal.scan;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;

/** Cuts a stream of cells into rows, and rows of more than some bytes into pieces. */
public final class RowPieces implements Closeable {
  private final CellSource source;
  private final RetentionMatcher matcher;
  private final long limit;
  private Cell ahead;
  private boolean started;

  /** Whether the last piece left the one to come unmasked. */
  private boolean unmasked;

  /**
   * @param limit bytes at which a row is cut, be it between cells that differ in nothing but their
   *     age
   */
  public RowPieces(CellSource source, RetentionMatcher matcher, long limit) {
    this.source = source;
    this.matcher = matcher;
    this.limit = limit;
  }

  /** The next piece, or null behind the last one. */
  public RowPiece next() throws IOException {
    if (!started) {
      ahead = source.next();
      started = true;
    }
    if (ahead == null) {
      return null;
    }
    RowPiece piece = new RowPiece(unmasked);
    do {
      piece.add(ahead, matcher.match(ahead), source.isCovered());
      ahead = source.next();
    } while (ahead != null && belongsTo(piece));
    if (ahead != null && CellUtil.matchingRows(ahead, piece.last())) {
      piece.goesOn(ahead);
    }
    unmasked = piece.unmasks();
    return piece;
  }

  private boolean belongsTo(RowPiece piece) {
    return piece.bytes() < limit && CellUtil.matchingRows(ahead, piece.last());
  }

  /** To be called after all pieces in use were told the same. */
  public void shipped() throws IOException {
    matcher.beforeShipped();
    if (ahead != null) {
      ahead = KeyValueUtil.copyToNewKeyValue(ahead);
    }
    source.shipped();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
