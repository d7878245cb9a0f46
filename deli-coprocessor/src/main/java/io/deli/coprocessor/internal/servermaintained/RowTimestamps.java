package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.scan.Coordinates;
import io.deli.coprocessor.internal.send.RowMarks;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The newest timestamps that the rows of a table were given on this server. Thread-safe.
 *
 * <p>Of each row there are four: the newest of all, the newest of deletes, the newest of what was
 * decided by a condition, and when an Increment or Append computed something in it. These read the
 * columns that they write, and are so frequent on some rows that they concern writes of the same
 * columns only, which have marks of their own. Where region servers maintain indexes, there are
 * also those of {@link WrittenColumns}.
 */
final class RowTimestamps {
  private static final long START = 0xcbf29ce484222325L;
  private static final long CONDITIONAL = 0x5851f42d4c957f2dL;
  private static final long COMPUTED = 0x14057b7ef767814fL;
  private static final long DELETED = 0x369dea0f31a53f85L;
  private static final long DRAWN = 0x2545f4914f6cdd1dL;

  private final RowMarks marks;
  private final long seed;

  RowTimestamps(RowMarks marks, TableName table) {
    this.marks = marks;
    this.seed = RowMarks.hash(START, table.getName(), 0, table.getName().length);
  }

  private long hash(byte[] row) {
    return RowMarks.hash(seed, row, 0, row.length);
  }

  private static long column(long row, byte[] family, Cell cell) {
    return RowMarks.key(
        RowMarks.hash(
            RowMarks.hash(row, family, 0, family.length),
            cell.getQualifierArray(),
            cell.getQualifierOffset(),
            cell.getQualifierLength()));
  }

  /** The newest of a row, except where only columns were computed. */
  long newest(byte[] row) {
    return marks.newest(RowMarks.key(hash(row)));
  }

  /** The newest of a row, or of a column that was computed in it. */
  long newestOrComputed(byte[] row) {
    long hash = hash(row);
    return Math.max(marks.newest(RowMarks.key(hash)), marks.newest(RowMarks.key(hash ^ COMPUTED)));
  }

  /** Gives a row a new one, no less than the clock. */
  long next(byte[] row) {
    return marks.next(
        RowMarks.key(hash(row) ^ DRAWN),
        Math.max(newestOrComputed(row) + 1, EnvironmentEdgeManager.currentTime()));
  }

  long newestDelete(byte[] row) {
    return marks.newest(RowMarks.key(hash(row) ^ DELETED));
  }

  /** The newest that was computed in the columns of Increments or Appends; empty if none are. */
  OptionalLong newestComputed(List<Mutation> computed) {
    return computed.stream().mapToLong(this::newestComputed).max();
  }

  private long newestComputed(Mutation mutation) {
    long row = hash(mutation.getRow());
    return Math.min(marks.newest(RowMarks.key(row ^ COMPUTED)), newestOfColumns(mutation, row));
  }

  /** Notes that a row was given one; whether that is newer than all that it was given. */
  boolean raise(Mutation mutation, long timestamp) {
    long row = hash(mutation.getRow());
    boolean newer = marks.raise(RowMarks.key(row), timestamp);
    if (mutation instanceof Delete) {
      marks.raise(RowMarks.key(row ^ DELETED), timestamp);
    }
    return newer;
  }

  /** Notes that what the row was given last was decided by what it held. */
  void decided(byte[] row) {
    long hash = hash(row);
    marks.raise(RowMarks.key(hash ^ CONDITIONAL), marks.newest(RowMarks.key(hash)));
  }

  /** Notes columns that were computed, at a time no less than the timestamps that they have. */
  void computed(Mutation mutation, long now) {
    long row = hash(mutation.getRow());
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        marks.raise(column(row, family.getKey(), cell), now);
      }
    }
    marks.raise(RowMarks.key(row ^ COMPUTED), now);
  }

  /** Notes the columns that a write has given values, or deleted, by that time of the clock. */
  void wrote(RowWrite write, long now) {
    List<Cell> cells = write.cells();
    long oldest = now;
    long newest = 0;
    for (Cell cell : cells) {
      // The delete of one version hides no other.
      oldest = isOfVersion(cell) ? 0 : Math.min(oldest, cell.getTimestamp());
      newest = cell.getTimestamp() > now ? newest : Math.max(newest, cell.getTimestamp());
    }
    new WrittenColumns(hash(write.row()), cells).written(marks, oldest, newest);
  }

  /** Whether a mutation would lie before what was computed in a column that it writes. */
  boolean haveComputed(Mutation mutation, long timestamp) {
    return haveComputed(mutation, hash(mutation.getRow()), timestamp);
  }

  /**
   * Whether a write would lie before one that was decided without it, or a part of it before
   * others; what is computed in the write itself lies behind all.
   */
  boolean haveOvertaken(RowWrite write, long timestamp) {
    long row = hash(write.row());
    return marks.newest(RowMarks.key(row ^ CONDITIONAL)) >= timestamp
        || write.mutations().stream()
            .anyMatch(each -> !isComputed(each) && haveComputed(each, row, timestamp))
        || (marks.newest(RowMarks.key(row)) > timestamp
            && (write.isComputed() || isTorn(row, write, timestamp)));
  }

  /** By what was given with that timestamp; what has others is older, or the writer's business. */
  private boolean isTorn(long row, RowWrite write, long timestamp) {
    List<Cell> drawn =
        write.cells().stream().filter(cell -> cell.getTimestamp() == timestamp).toList();
    return new WrittenColumns(row, drawn).isTorn(marks, timestamp);
  }

  private boolean haveComputed(Mutation mutation, long row, long timestamp) {
    return marks.newest(RowMarks.key(row ^ COMPUTED)) >= timestamp
        && newestOfColumns(mutation, row) >= timestamp;
  }

  /** The newest of a mutation's columns; no number is greater if it deletes any of a family. */
  private long newestOfColumns(Mutation mutation, long row) {
    long newest = 0;
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        newest =
            Coordinates.isFamilyMarker(cell)
                ? Long.MAX_VALUE
                : Math.max(newest, marks.newest(column(row, family.getKey(), cell)));
      }
    }
    return newest;
  }

  private static boolean isOfVersion(Cell cell) {
    return cell.getType() == Cell.Type.Delete || cell.getType() == Cell.Type.DeleteFamilyVersion;
  }

  /** The newest of a mutation that the clock has passed; 0 if there is none. */
  static long newest(Mutation mutation, long now) {
    return RowWrite.cellsOf(mutation)
        .mapToLong(Cell::getTimestamp)
        .filter(timestamp -> timestamp <= now)
        .max()
        .orElse(0);
  }

  static boolean isComputed(Mutation mutation) {
    return mutation instanceof Increment || mutation instanceof Append;
  }
}
