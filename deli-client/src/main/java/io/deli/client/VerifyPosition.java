package io.deli.client;

import io.deli.index.ValueType;
import java.util.Objects;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The position at which an interrupted verification can be resumed. Immutable; callers must not
 * change the array.
 *
 * @param pass in which direction it was comparing
 * @param row the first row of the table it was scanning that is not done
 */
public record VerifyPosition(Pass pass, byte[] row) {
  public VerifyPosition {
    Objects.requireNonNull(pass, "pass");
    Objects.requireNonNull(row, "row");
  }

  /** A direction of comparing, in the order in which they are taken. */
  public enum Pass {
    /** Scans the base table, and looks for the entries of its versions. */
    BASE,

    /** Scans the index table, and looks for the versions of its entries. */
    INDEX
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static VerifyPosition parse(String text) {
    for (Pass pass : Pass.values()) {
      if (text.startsWith(pass + ":")) {
        return new VerifyPosition(
            pass, ValueType.BYTES.parse(text.substring(pass.toString().length() + 1)));
      }
    }
    throw new IllegalArgumentException("'" + text + "' is no position of a verification");
  }

  /** Text form: the direction and the row, with {@code \xNN} for bytes that are no letters. */
  @Override
  public String toString() {
    return pass + ":" + Bytes.toStringBinary(row);
  }
}
