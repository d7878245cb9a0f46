package io.deli.strategy;

import io.deli.entry.WriteId;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * One version of an indexed column of a base row. Callers must not change the arrays.
 *
 * @param key base row key
 * @param timestamp in milliseconds, never {@code HConstants.LATEST_TIMESTAMP}
 */
public record BaseVersion(byte[] key, byte[] value, long timestamp, WriteId writeId) {
  public BaseVersion {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(writeId, "writeId");
  }

  /** Returns the version under another write id. */
  public BaseVersion withWriteId(WriteId id) {
    return new BaseVersion(key, value, timestamp, id);
  }

  /** Returns the version in a cell of the base table. */
  public static BaseVersion of(Cell cell, WriteId writeId) {
    return new BaseVersion(
        CellUtil.cloneRow(cell), CellUtil.cloneValue(cell), cell.getTimestamp(), writeId);
  }
}
