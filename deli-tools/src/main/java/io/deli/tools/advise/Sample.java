package io.deli.tools.advise;

import java.util.List;

/**
 * Rows of a table.
 *
 * @param stretches the current values of the column, by stretches of neighbouring rows
 * @param rows that were read
 * @param bytes of these rows
 * @param familyBytes of these rows, in the column's family
 * @param keyBytes of the keys of these rows
 * @param versions of the column in them, current or not
 * @param whole whether these are all rows of the table
 */
public record Sample(
    List<List<Value>> stretches,
    long rows,
    long bytes,
    long familyBytes,
    long keyBytes,
    long versions,
    boolean whole) {
  /** A current value, in bytes that sort as the values do, and when it was written. */
  public record Value(byte[] ordered, long timestamp) {}
}
