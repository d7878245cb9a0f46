package io.deli.coprocessor.internal.serve;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * When writes were last applied that are decided by what their locked row holds. Thread-safe.
 *
 * <p>A write that has its timestamp, and waits for its index, would lie behind one that was decided
 * meanwhile, as if it had been there for the decision. Conditional writes may ask for anything in
 * their row; Increments and Appends read the columns that they write, and are so frequent on some
 * rows that only those count. Rows and columns share about a thousand stripes.
 */
final class LockedWrites {
  private static final int STRIPES = 1 << 10;

  private final AtomicLong latest = new AtomicLong();
  private final AtomicLongArray conditional = new AtomicLongArray(STRIPES);
  private final AtomicLongArray computed = new AtomicLongArray(STRIPES);

  /** A moment, to be asked about later. */
  long now() {
    return latest.get();
  }

  /** To be told while the row is locked. */
  void applied(Mutation mutation, boolean isConditional) {
    if (isConditional) {
      mark(conditional, stripe(mutation.getRow()));
    }
    if (mutation instanceof Increment || mutation instanceof Append) {
      mark(computed, stripe(mutation.getRow()));
      for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
        for (Cell cell : family.getValue()) {
          mark(computed, stripe(mutation.getRow(), family.getKey(), cell));
        }
      }
    }
  }

  private void mark(AtomicLongArray last, int stripe) {
    last.accumulateAndGet(stripe, latest.incrementAndGet(), Math::max);
  }

  /** Whether one may have come since that moment which did not see this write, and should have. */
  boolean haveOvertaken(Mutation mutation, long since) {
    int row = stripe(mutation.getRow());
    return conditional.get(row) > since
        || (computed.get(row) > since && haveComputed(mutation, since));
  }

  private boolean haveComputed(Mutation mutation, long since) {
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        if (isOfFamily(cell)
            || computed.get(stripe(mutation.getRow(), family.getKey(), cell)) > since) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOfFamily(Cell cell) {
    return cell.getType() == Cell.Type.DeleteFamily
        || cell.getType() == Cell.Type.DeleteFamilyVersion;
  }

  private static int stripe(byte[] row) {
    return stripe(Arrays.hashCode(row));
  }

  private static int stripe(byte[] row, byte[] family, Cell cell) {
    int column = 31 * Arrays.hashCode(family) + Arrays.hashCode(CellUtil.cloneQualifier(cell));
    return stripe(31 * Arrays.hashCode(row) + column);
  }

  private static int stripe(int hash) {
    return (hash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
  }
}
