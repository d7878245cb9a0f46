package io.deli.entry;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tells apart two writes of the same value at the same key and timestamp; see the package
 * documentation. Immutable.
 */
public final class WriteId {
  /** For a write whose timestamp is its identity. */
  public static final WriteId NONE = new WriteId(new byte[0]);

  /** Attribute of a base mutation that carries its id to the coprocessor. */
  public static final String ATTRIBUTE = "deli.w";

  /** Type of the cell tag that keeps the id; from HBase's range for applications. */
  public static final byte TAG_TYPE = 68;

  private static final int LENGTH = 2 * Bytes.SIZEOF_LONG;

  private final byte[] bytes;

  private WriteId(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A new id. */
  public static WriteId of(long writtenAtMillis, long random) {
    return new WriteId(Bytes.add(Bytes.toBytes(writtenAtMillis), Bytes.toBytes(random)));
  }

  /**
   * Reads an id back; no bytes are {@link #NONE}.
   *
   * @throws IllegalArgumentException if the length is neither 0 nor 16
   */
  public static WriteId from(byte[] bytes) {
    if (bytes.length == 0) {
      return NONE;
    }
    if (bytes.length != LENGTH) {
      throw new IllegalArgumentException(
          "a write id has %d bytes, not %d. If a newer DELI wrote it, upgrade DELI here."
              .formatted(LENGTH, bytes.length));
    }
    return new WriteId(bytes.clone());
  }

  /**
   * The id that a cell of the base table carries, where its tags can be seen.
   *
   * @throws IllegalArgumentException if its tag is no id
   */
  public static WriteId of(Cell cell) {
    return PrivateCellUtil.getTag(cell, TAG_TYPE)
        .map(tag -> from(Tag.cloneValue(tag)))
        .orElse(NONE);
  }

  public boolean isNone() {
    return bytes.length == 0;
  }

  /** The writer's clock when it wrote, in milliseconds; empty for {@link #NONE}. */
  public OptionalLong writtenAt() {
    return isNone() ? OptionalLong.empty() : OptionalLong.of(Bytes.toLong(bytes));
  }

  /** Returns the tags of a cell that has this id and no others: one, or none. */
  public List<Tag> toTags() {
    return isNone() ? List.of() : List.of(new ArrayBackedTag(TAG_TYPE, toBytes()));
  }

  public byte[] toBytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WriteId that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(bytes);
  }
}
