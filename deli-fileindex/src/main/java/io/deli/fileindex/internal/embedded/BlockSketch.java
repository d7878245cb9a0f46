package io.deli.fileindex.internal.embedded;

import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.query.TokenRange;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * A summary of the rows that begin in one block of a file.
 *
 * @param zone bounds of the tokens of the indexed column; empty if there are none
 * @param oldest least timestamp of the column's versions that have tokens
 * @param newest greatest timestamp of these
 */
record BlockSketch(TokenRange zone, long oldest, long newest, TokenBloom bloom) {
  /**
   * Whether a row that begins in the block may have what is wanted, as far as that does not depend
   * on the zone; certain if not.
   *
   * @param hash of the only token that is wanted, if it is only one
   */
  boolean mayHold(Wanted wanted, OptionalLong hash) {
    return wanted.mayBeOf(oldest, newest) && (hash.isEmpty() || bloom.mayHold(hash.getAsLong()));
  }

  /** Bytes on the heap, about, with its place in the tree. */
  int weight() {
    return 224 + 4 * zone.first().length + bloom.weight();
  }

  void write(DataOutput out) throws IOException {
    zone.write(out);
    out.writeLong(oldest);
    out.writeLong(newest);
    bloom.write(out);
  }

  static BlockSketch read(DataInputStream in) throws IOException {
    return new BlockSketch(TokenRange.read(in), in.readLong(), in.readLong(), TokenBloom.read(in));
  }
}
