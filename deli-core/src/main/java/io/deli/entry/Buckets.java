package io.deli.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The buckets of a salted index table; see the package documentation. Only here rows have a salt:
 * elsewhere they are told, ordered and remembered without it.
 *
 * @param count 1 for a table whose rows have no salt; at most 256
 */
public record Buckets(int count) {
  /** Of rows that have no salt. */
  public static final Buckets NONE = new Buckets(1);

  private static final int MOST = 1 << Byte.SIZE;

  public Buckets {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException(count + " buckets: give 1 to " + MOST);
    }
  }

  /** Whether rows have a salt. */
  public boolean areSalted() {
    return count > 1;
  }

  /** The bucket of the entries of a base row. */
  int of(byte[] key) {
    // Multiplied, for else all keys of one ending might have one remainder.
    int hash = Arrays.hashCode(key) * 0x9E3779B9;
    return (int) ((Integer.toUnsignedLong(hash) * count) >>> Integer.SIZE);
  }

  /** Returns the row in a bucket's part of the table. */
  public byte[] row(int bucket, byte[] unsalted) {
    return areSalted() ? Bytes.add(new byte[] {(byte) bucket}, unsalted) : unsalted;
  }

  /**
   * Returns the row, exclusive, at which a scan of a bucket ends.
   *
   * @param unsalted empty, as in a Scan, for the bucket's end
   */
  public byte[] stopRow(int bucket, byte[] unsalted) {
    if (unsalted.length > 0 || !areSalted()) {
      return row(bucket, unsalted);
    }
    return bucket + 1 == MOST ? HConstants.EMPTY_END_ROW : new byte[] {(byte) (bucket + 1)};
  }

  /** Returns a row of the table without its salt. */
  public byte[] unsalted(byte[] row) {
    return areSalted() ? Arrays.copyOfRange(row, 1, row.length) : row;
  }

  /** Compares the rows of two cells of a salted table, whatever their salts. */
  public static int compareUnsalted(Cell a, Cell b) {
    return Bytes.compareTo(
        a.getRowArray(),
        a.getRowOffset() + 1,
        a.getRowLength() - 1,
        b.getRowArray(),
        b.getRowOffset() + 1,
        b.getRowLength() - 1);
  }

  /**
   * Returns the rows at which to split a table: between its buckets, and each bucket at the given
   * rows.
   *
   * @param unsalted in order
   */
  public List<byte[]> splits(Collection<byte[]> unsalted) {
    List<byte[]> splits = new ArrayList<>();
    for (int bucket = 0; bucket < count; bucket++) {
      if (bucket > 0) {
        splits.add(row(bucket, HConstants.EMPTY_BYTE_ARRAY));
      }
      for (byte[] row : unsalted) {
        splits.add(row(bucket, row));
      }
    }
    return splits;
  }
}
