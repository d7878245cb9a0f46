package io.deli.coprocessor.internal.embedded;

import io.deli.index.Index;
import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the sketch of a file out of its cells, in their order. */
final class SketchBuilder {
  // Bounds need not be exact.
  private static final int LONGEST_BOUND = 64;
  private static final byte[] NONE = {};

  private final Index index;
  private final int bitsPerToken;
  private final List<BlockSketch> done = new ArrayList<>();
  private final Set<Long> hashes = new HashSet<>();
  private byte[] row = NONE;
  private byte[] firstRow = NONE;
  private boolean ends;
  private int cells;
  private byte[] least = NONE;
  private byte[] greatest = NONE;
  private long oldest;
  private long newest;

  SketchBuilder(Index index, int bitsPerToken) {
    this.index = index;
    this.bitsPerToken = bitsPerToken;
    clear();
  }

  /** The {@link FileSketch#kind} of what it makes. */
  String kind() {
    return FileSketch.kind(index.definition());
  }

  /** The next row to begin is in another block. */
  void endBlock() {
    ends = true;
  }

  /**
   * Takes the next cell.
   *
   * @throws RuntimeException whatever a tokenizer throws
   */
  void add(Cell cell) {
    if (!CellUtil.matchingRows(cell, row)) {
      row = CellUtil.cloneRow(cell);
      if (ends || cells == 0) {
        close();
        firstRow = row;
      }
    }
    cells++;
    if (cell.getType() == Cell.Type.Put && index.column().matches(cell)) {
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        add(token, cell.getTimestamp());
      }
    }
  }

  private void add(byte[] token, long timestamp) {
    if (hashes.isEmpty() || Bytes.compareTo(token, least) < 0) {
      least = token;
    }
    if (hashes.isEmpty() || Bytes.compareTo(token, greatest) > 0) {
      greatest = token;
    }
    hashes.add(TokenBloom.hash(token));
    oldest = Math.min(oldest, timestamp);
    newest = Math.max(newest, timestamp);
  }

  FileSketch build() {
    close();
    return new FileSketch(List.copyOf(done));
  }

  private void close() {
    if (cells > 0) {
      TokenBloom bloom = TokenBloom.of(hashes, bitsPerToken);
      done.add(new BlockSketch(firstRow, cells, zone(), oldest, newest, bloom));
    }
    clear();
  }

  private void clear() {
    ends = false;
    cells = 0;
    hashes.clear();
    least = NONE;
    greatest = NONE;
    oldest = Long.MAX_VALUE;
    newest = Long.MIN_VALUE;
  }

  private TokenRange zone() {
    if (hashes.isEmpty()) {
      return TokenRange.of(NONE, Optional.of(NONE));
    }
    byte[] first = shortened(least);
    return greatest.length > LONGEST_BOUND
        ? TokenRange.of(first, TokenRange.startingWith(shortened(greatest)).end())
        : TokenRange.of(first, Optional.of(TokenRange.successor(greatest)));
  }

  private static byte[] shortened(byte[] token) {
    return token.length > LONGEST_BOUND ? Arrays.copyOf(token, LONGEST_BOUND) : token;
  }
}
