package io.deli.entry;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One index entry: the base row {@code key} got a value with this token at {@code timestamp}.
 * Compared by content; callers must not change the arrays.
 */
public record Entry(byte[] token, byte[] key, long timestamp, WriteId writeId) {
  private static final long MOST_AHEAD_MILLIS = Duration.ofDays(7).toMillis();

  public Entry {
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(writeId, "writeId");
  }

  /** The same entry, whoever wrote it. */
  public Entry withoutId() {
    return new Entry(token, key, timestamp, WriteId.NONE);
  }

  /** The time at which the entry was written, by its writer's clock, in milliseconds. */
  public long writtenAt() {
    return writeId.writtenAt().orElse(timestamp);
  }

  /**
   * Whether the entry is so old that its writer has ended one way or the other. A time that is
   * further ahead than loads of files write ahead, {@link io.deli.service.LoadMark}, is that of no
   * writer who would be admitted.
   */
  public boolean isSettled(long now, long graceMillis) {
    return writtenAt() < now - graceMillis || writtenAt() > now + MOST_AHEAD_MILLIS;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Entry that
        && timestamp == that.timestamp
        && Arrays.equals(key, that.key)
        && Arrays.equals(token, that.token)
        && writeId.equals(that.writeId);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        Arrays.hashCode(token), Arrays.hashCode(key), timestamp, writeId.hashCode());
  }

  @Override
  public String toString() {
    return "%s -> %s @%d%s"
        .formatted(
            Bytes.toStringBinary(token),
            Bytes.toStringBinary(key),
            timestamp,
            writeId.isNone() ? "" : " #" + writeId);
  }
}
