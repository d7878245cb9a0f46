package io.deli.test.model;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A version of a column.
 *
 * @param doubtful whether HBase may have dropped it, since it was once one too many
 */
record Version(long timestamp, byte[] value, boolean doubtful) {
  static Version of(long timestamp, byte[] value) {
    return new Version(timestamp, value, false);
  }

  Version doubted() {
    return new Version(timestamp, value, true);
  }

  Version certain() {
    return new Version(timestamp, value, false);
  }

  /** Whether readers could not tell them apart. */
  boolean looksLike(Version other) {
    return timestamp == other.timestamp && Arrays.equals(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Version that && looksLike(that);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(timestamp) + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "'" + Bytes.toStringBinary(value) + "'@" + timestamp + (doubtful ? "?" : "");
  }
}
