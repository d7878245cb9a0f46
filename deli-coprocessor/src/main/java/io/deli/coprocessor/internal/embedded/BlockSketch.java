package io.deli.coprocessor.internal.embedded;

import io.deli.query.TokenRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What is known of the rows that begin in one block of a file.
 *
 * @param firstRow the first of them
 * @param cells how many cells they have, of whatever column
 * @param zone bounds of the tokens of the indexed column; empty if there are none
 * @param oldest least timestamp of the column's versions that have tokens
 * @param newest greatest timestamp of these
 */
record BlockSketch(
    byte[] firstRow, int cells, TokenRange zone, long oldest, long newest, TokenBloom bloom) {
  /** Whether a row that begins in the block may have what is wanted; certain if not. */
  boolean mayHold(Wanted wanted) {
    return zone.overlaps(wanted.tokens())
        && overlaps(wanted.times())
        && (!wanted.tokens().isSingle() || bloom.mayHold(wanted.hashOfFirst()));
  }

  private boolean overlaps(TimeRange times) {
    return times.isAllTime() || (oldest < times.getMax() && newest >= times.getMin());
  }

  /** Bytes on the heap, about. */
  int weight() {
    return 160 + firstRow.length + 2 * zone.first().length + bloom.weight();
  }

  void write(DataOutput out) throws IOException {
    Bytes.writeByteArray(out, firstRow);
    out.writeInt(cells);
    Bytes.writeByteArray(out, zone.first());
    Optional<byte[]> end = zone.end();
    out.writeBoolean(end.isPresent());
    if (end.isPresent()) {
      Bytes.writeByteArray(out, end.get());
    }
    out.writeLong(oldest);
    out.writeLong(newest);
    bloom.write(out);
  }

  static BlockSketch read(DataInput in) throws IOException {
    byte[] firstRow = Bytes.readByteArray(in);
    int cells = in.readInt();
    byte[] first = Bytes.readByteArray(in);
    Optional<byte[]> end =
        in.readBoolean() ? Optional.of(Bytes.readByteArray(in)) : Optional.empty();
    long oldest = in.readLong();
    long newest = in.readLong();
    TokenRange zone = TokenRange.of(first, end);
    return new BlockSketch(firstRow, cells, zone, oldest, newest, TokenBloom.read(in));
  }
}
