package io.deli.client;

import java.util.Objects;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One result of a value query: a version of an indexed column that satisfies it.
 *
 * @param row base row key
 * @param value the value as the base table has it; of several columns, the {@link
 *     io.deli.query.Tuple} of their values
 * @param timestamp of that version
 * @param projected the columns asked for by {@link ValueQuery#project}, read together with the
 *     value; {@link Result#EMPTY_RESULT} where none were asked for or the row has none of them
 */
public record ValueHit(byte[] row, byte[] value, long timestamp, Result projected) {
  public ValueHit {
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(projected, "projected");
  }

  @Override
  public String toString() {
    return "%s = %s @%d"
        .formatted(Bytes.toStringBinary(row), Bytes.toStringBinary(value), timestamp);
  }
}
