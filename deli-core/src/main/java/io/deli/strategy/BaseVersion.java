package io.deli.strategy;

import io.deli.entry.WriteId;
import java.util.Objects;

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
}
