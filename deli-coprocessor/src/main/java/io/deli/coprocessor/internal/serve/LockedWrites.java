package io.deli.coprocessor.internal.serve;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hbase.thirdparty.com.google.common.hash.HashFunction;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * When writes were last applied that are decided by what their locked row holds. Thread-safe.
 *
 * <p>A write that has its timestamp, and waits for its index, would lie behind one that was decided
 * meanwhile, as if it had been there for the decision. Conditional writes may ask for anything in
 * their row; Increments and Appends read the columns that they write, and are so frequent on some
 * rows that only those count. Rows share stripes, and so do columns: so many (three times 128 KB,
 * where there are such writes) that a list of Puts is rarely refused for the sake of others.
 */
final class LockedWrites {
  private static final int STRIPES = 1 << 14;
  private static final HashFunction ROWS = Hashing.murmur3_128(1);
  private static final HashFunction COLUMNS = Hashing.murmur3_128(2);

  private final AtomicLong latest = new AtomicLong();
  private final Marks conditional = new Marks();
  private final Marks computed = new Marks();
  private final Marks computedColumns = new Marks();

  /** When something of each stripe was last written; takes no room until something is. */
  private static final class Marks {
    private volatile AtomicLongArray last;

    void mark(int hash, long moment) {
      if (last == null) {
        begin();
      }
      last.accumulateAndGet(stripe(hash), moment, Math::max);
    }

    private synchronized void begin() {
      if (last == null) {
        last = new AtomicLongArray(STRIPES);
      }
    }

    boolean areBehind(int hash, long moment) {
      AtomicLongArray known = last;
      return known != null && known.get(stripe(hash)) > moment;
    }

    private static int stripe(int hash) {
      return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES));
    }
  }

  /** A moment, to be asked about later. */
  long now() {
    return latest.get();
  }

  /** To be told while the row is locked. */
  void applied(Mutation mutation, boolean isConditional) {
    int row = hash(mutation.getRow());
    if (isConditional) {
      conditional.mark(row, latest.incrementAndGet());
    }
    if (mutation instanceof Increment || mutation instanceof Append) {
      long moment = latest.incrementAndGet();
      for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
        for (Cell cell : family.getValue()) {
          computedColumns.mark(column(row, family.getKey(), cell), moment);
        }
      }
      computed.mark(row, moment);
    }
  }

  /** Whether one may have come since that moment which did not see this write, and should have. */
  boolean haveOvertaken(Mutation mutation, long since) {
    int row = hash(mutation.getRow());
    return conditional.areBehind(row, since)
        || (computed.areBehind(row, since) && haveComputed(mutation, row, since));
  }

  private boolean haveComputed(Mutation mutation, int row, long since) {
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        if (isOfFamily(cell)
            || computedColumns.areBehind(column(row, family.getKey(), cell), since)) {
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

  /** Of its own, not of its row's stripe: rows that share one have few columns that do. */
  private static int column(int row, byte[] family, Cell cell) {
    return COLUMNS
        .newHasher()
        .putInt(row)
        .putBytes(family)
        .putByte((byte) 0)
        .putBytes(CellUtil.cloneQualifier(cell))
        .hash()
        .asInt();
  }

  private static int hash(byte[] row) {
    return ROWS.hashBytes(row).asInt();
  }
}
