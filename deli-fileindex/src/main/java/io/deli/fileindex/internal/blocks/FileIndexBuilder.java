package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the index of a file out of its cells, in their order. */
public abstract class FileIndexBuilder {
  // As many bytes as tell most tokens apart, behind what both ends of a range begin with.
  private static final int KEPT = 64;
  private static final int LONGEST_BOUND = 1_024;

  private final Index index;
  private final List<Blocks.Part> parts = new ArrayList<>();
  private byte[] row = HConstants.EMPTY_BYTE_ARRAY;
  private byte[] firstRow = HConstants.EMPTY_BYTE_ARRAY;
  private boolean ends;
  private int cells;
  private long weight;

  protected FileIndexBuilder(Index index) {
    this.index = index;
  }

  /** A token of a version in the block that is under way; rows come in their order. */
  protected abstract void add(byte[] row, byte[] token, long timestamp) throws IOException;

  /**
   * The block under way is complete.
   *
   * @param number from 0
   */
  protected abstract void end(int number);

  /**
   * The blocks to be written to the file, by what is to be appended to their names.
   *
   * @param blocks all of the file
   * @param isWanted whether the file still is, to be asked where it takes long
   * @throws InterruptedIOException if it is not
   */
  protected abstract NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted)
      throws IOException;

  /** Bytes on the heap of what {@link #add} and {@link #end} keep, about. */
  protected abstract long weight();

  /** Frees what it holds beside memory; called if the index is given up. */
  protected void discard() {}

  /**
   * A range that holds all tokens from the first one up to an end; somewhat wider if they are long.
   * Each keeps {@value #KEPT} bytes behind what both begin with, and {@value #LONGEST_BOUND} in
   * all.
   */
  protected static TokenRange bounds(byte[] first, Optional<byte[]> end) {
    int longest =
        end.map(each -> Bytes.findCommonPrefix(first, each, first.length, each.length, 0, 0))
            .map(common -> Math.min(common + KEPT, LONGEST_BOUND))
            .orElse(KEPT);
    return TokenRange.of(
        first.length > longest ? Arrays.copyOf(first, longest) : first,
        end.flatMap(
            each ->
                each.length > longest
                    ? TokenRange.behindPrefix(Arrays.copyOf(each, longest))
                    : end));
  }

  /** The next row to begin is in another block. */
  final void endBlock() {
    ends = true;
  }

  /**
   * Takes the next cell.
   *
   * @throws RuntimeException whatever a tokenizer throws
   */
  final void add(Cell cell) throws IOException {
    if (!CellUtil.matchingRows(cell, row)) {
      row = CellUtil.cloneRow(cell);
      if (ends || cells == 0) {
        close();
        firstRow = row;
      }
    }
    cells++;
    if (cell.getType() == Cell.Type.Put && index.column().matches(cell)) {
      for (byte[] token : index.storedTokens(CellUtil.cloneValue(cell))) {
        add(row, token, cell.getTimestamp());
      }
    }
  }

  private void close() {
    if (cells > 0) {
      end(parts.size());
      Blocks.Part part = new Blocks.Part(firstRow, cells);
      parts.add(part);
      weight += part.weight();
    }
    ends = false;
    cells = 0;
  }

  /** Bytes on the heap so far, about. */
  final long heap() {
    return weight + weight();
  }

  /** See {@link #encode}; to be called once, after the last cell. */
  final NavigableMap<String, Content> finish(BooleanSupplier isWanted) throws IOException {
    close();
    return encode(new Blocks(List.copyOf(parts)), isWanted);
  }
}
