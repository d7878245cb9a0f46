package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * The versions of one row of a file that have one token; of a row with very many tokens, perhaps
 * some of them.
 *
 * @param whole the token, if {@code token} is but its beginning ({@code TokenCutter})
 * @param oldest least timestamp
 * @param newest greatest timestamp
 */
record Posting(byte[] token, Optional<byte[]> whole, byte[] row, long oldest, long newest) {
  /** One with the whole token. */
  Posting(byte[] token, byte[] row, long oldest, long newest) {
    this(token, Optional.empty(), row, oldest, newest);
  }

  /** The same of the first bytes of its token. */
  Posting cutTo(int length) {
    return new Posting(Arrays.copyOf(token, length), Optional.of(token), row, oldest, newest);
  }

  boolean isCut() {
    return whole.isPresent();
  }

  /** Returns the range of the tokens that it may stand for. */
  TokenRange tokens() {
    return isCut() ? TokenRange.startingWith(token) : TokenRange.only(token);
  }

  void write(DataOutput out) throws IOException {
    Bytes.writeByteArray(out, token);
    Bytes.writeByteArray(out, row);
    WritableUtils.writeVLong(out, newest);
    WritableUtils.writeVLong(out, newest - oldest);
  }

  static Posting read(DataInput in) throws IOException {
    byte[] token = Bytes.readByteArray(in);
    byte[] row = Bytes.readByteArray(in);
    long newest = WritableUtils.readVLong(in);
    return new Posting(token, row, newest - WritableUtils.readVLong(in), newest);
  }

  /** Reads what {@link WritableUtils#writeVLong} wrote. */
  static long readVLong(ByteBuffer in) {
    byte head = in.get();
    int size = WritableUtils.decodeVIntSize(head);
    if (size == 1) {
      return head;
    }
    long number = 0;
    for (int left = size - 1; left > 0; left--) {
      number = (number << Byte.SIZE) | (in.get() & 0xFF);
    }
    return WritableUtils.isNegativeVInt(head) ? ~number : number;
  }
}
