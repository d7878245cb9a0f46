package io.deli.strategy;

import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes the index Puts for the versions of base rows, to build an index. Does no I/O; not
 * thread-safe.
 *
 * <p>Each version in a raw scan counts: one that is hidden may be seen again, when what hides it
 * expires or is dropped. A partial index goes without rows that {@link
 * EntryCondition#leavesOut(Result)} tells, of those that come in one piece.
 */
public final class VersionEntries {
  private final Index index;
  private long refused;
  private Optional<String> refusal = Optional.empty();
  private byte[] row = new byte[0];

  public VersionEntries(Index index) {
    this.index = index;
  }

  /**
   * Returns the Puts for the cells, with tags, of a row or, of an index on one column, a partial
   * row.
   *
   * @throws DoNotRetryIOException if the tokenizer, which may be the user's own, fails
   */
  public List<Put> of(Result piece) throws DoNotRetryIOException {
    if (index
        .condition()
        .filter(condition -> isWhole(piece) && condition.leavesOut(piece))
        .isPresent()) {
      return List.of();
    }
    List<Put> puts = new ArrayList<>(piece.size());
    try {
      for (Cell version : index.key().versions(piece.listCells())) {
        puts.addAll(puts(version));
      }
      List<Cell> unjoined = index.key().unjoined(piece.listCells());
      if (!unjoined.isEmpty()) {
        refuse(unjoined.get(0), "its columns were last written at different times; put all again");
      }
    } catch (RuntimeException e) {
      throw new DoNotRetryIOException(
          "row '%s': %s".formatted(Bytes.toStringBinary(piece.getRow()), e), e);
    }
    return puts;
  }

  private boolean isWhole(Result piece) {
    boolean isFirst = !Arrays.equals(piece.getRow(), row);
    row = piece.getRow();
    return isFirst && !piece.mayHaveMoreCellsInRow();
  }

  private List<Put> puts(Cell cell) {
    try {
      return index.strategy().write(index, BaseVersion.of(cell, WriteId.of(cell)));
    } catch (IllegalArgumentException e) {
      // It got there past DELI, or before the index. Garbage collection knows no entry of it.
      refuse(cell, e.getMessage());
      return List.of();
    }
  }

  private void refuse(Cell version, String reason) {
    refused++;
    if (refusal.isEmpty()) {
      String row = Bytes.toStringBinary(CellUtil.cloneRow(version));
      refusal = Optional.of("row '%s': %s".formatted(row, reason));
    }
  }

  /** Returns the number of versions whose values the index does not take. */
  public long refused() {
    return refused;
  }

  /** An example of these: the row of the first, and why its value is refused. */
  public Optional<String> refusal() {
    return refusal;
  }
}
