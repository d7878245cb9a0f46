package io.deli.index;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** A column of a table: family and qualifier, any bytes. Immutable; compared by content. */
public final class Column implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] family;
  private final byte[] qualifier;

  private Column(byte[] family, byte[] qualifier) {
    this.family = family;
    this.qualifier = qualifier;
  }

  public static Column of(byte[] family, byte[] qualifier) {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    if (family.length == 0) {
      throw new InvalidIndexException("a column needs a family: write family:qualifier");
    }
    return new Column(family.clone(), qualifier.clone());
  }

  /**
   * Reads {@code family:qualifier} in {@link Bytes#toStringBinary(byte[])} notation.
   *
   * @throws InvalidIndexException if there is no colon, or a {@code \xNN} is cut off
   */
  public static Column parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new InvalidIndexException("'" + text + "' is no column: write family:qualifier");
    }
    return of(
        ValueType.BYTES.parse(text.substring(0, colon)),
        ValueType.BYTES.parse(text.substring(colon + 1)));
  }

  public byte[] family() {
    return family.clone();
  }

  public byte[] qualifier() {
    return qualifier.clone();
  }

  /** Whether the cell belongs to this column. */
  public boolean matches(Cell cell) {
    return CellUtil.matchingColumn(cell, family, qualifier);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Column that
        && Arrays.equals(family, that.family)
        && Arrays.equals(qualifier, that.qualifier);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(family) + Arrays.hashCode(qualifier);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier);
  }
}
