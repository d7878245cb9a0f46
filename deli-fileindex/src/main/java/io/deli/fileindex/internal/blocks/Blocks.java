package io.deli.fileindex.internal.blocks;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a file, parted as its blocks part them: a row belongs to the block in which it
 * begins. Immutable.
 *
 * @param parts in order, without gap
 */
public record Blocks(List<Part> parts) {
  // Of parts whose size is not known, to be read at once; and of cells, until their blocks are
  // given back.
  private static final long MOST_BYTES = 1 << 20;

  /**
   * The rows that begin in one block.
   *
   * @param firstRow at or before the first of them, and behind those of the block before
   * @param cells how many cells they have, of whatever column; {@link #UNKNOWN} if that is not
   *     known
   */
  public record Part(byte[] firstRow, int cells) {
    static final int UNKNOWN = Integer.MAX_VALUE;

    /** Bytes on the heap, about. */
    int weight() {
      return 64 + firstRow.length;
    }
  }

  /** What is done with each cell that is read. */
  @FunctionalInterface
  interface Reader {
    void take(Cell cell);
  }

  public int count() {
    return parts.size();
  }

  byte[] firstRow(int block) {
    return parts.get(block).firstRow();
  }

  /** The block in which the row begins, if the file has it. */
  int blockOf(byte[] row) {
    int low = 0;
    int high = Math.max(0, parts.size() - 1);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Bytes.compareTo(firstRow(middle), row) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** How many blocks hold rows of a range. */
  int countWithin(byte[] start, byte[] end) {
    if (parts.isEmpty()) {
      return 0;
    }
    int last = end.length == 0 ? count() - 1 : blockOf(end);
    int behind = Rows.before(firstRow(last), end) ? last + 1 : last;
    return Math.max(0, behind - blockOf(start));
  }

  /** The first row behind a block; empty for the last one. */
  byte[] endOf(int block) {
    return block + 1 < parts.size() ? firstRow(block + 1) : HConstants.EMPTY_END_ROW;
  }

  /**
   * Reads the rows that begin in a block, and not the block behind if it can be helped. If their
   * number is not known, only some of them.
   *
   * @param from of a block of unknown size, no row before this is read
   * @return the row up to which it was read, exclusive
   */
  byte[] read(int block, byte[] from, KeyValueScanner file, Reader reader) throws IOException {
    int cells = parts.get(block).cells();
    try {
      return cells == Part.UNKNOWN
          ? readSome(Rows.later(from, firstRow(block)), endOf(block), file, reader)
          : readAll(block, cells, file, reader);
    } finally {
      // Or the blocks behind would stay in the cache for as long as the file is open.
      file.shipped();
    }
  }

  private byte[] readAll(int block, int cells, KeyValueScanner file, Reader reader)
      throws IOException {
    byte[] end = endOf(block);
    file.seek(PrivateCellUtil.createFirstOnRow(firstRow(block)));
    long held = 0;
    // The last cell is not stepped over: that would read the block behind.
    for (int left = cells; left > 0; left--) {
      Cell cell = left > 1 ? file.next() : file.peek();
      if (cell == null || !Rows.before(cell, end)) {
        break;
      }
      held = take(cell, held, file, reader);
    }
    return end;
  }

  /**
   * Gives a cell away, and the blocks behind it back: a row may have any number of them.
   *
   * @param held bytes of cells since that was done
   */
  private static long take(Cell cell, long held, KeyValueScanner file, Reader reader)
      throws IOException {
    reader.take(cell);
    long now = held + PrivateCellUtil.estimatedSerializedSizeOf(cell);
    if (now < MOST_BYTES) {
      return now;
    }
    file.shipped();
    return 0;
  }

  private static byte[] readSome(byte[] from, byte[] end, KeyValueScanner file, Reader reader)
      throws IOException {
    file.seek(PrivateCellUtil.createFirstOnRow(from));
    byte[] last = HConstants.EMPTY_BYTE_ARRAY;
    long bytes = 0;
    long held = 0;
    for (Cell cell = file.next(); cell != null && Rows.before(cell, end); cell = file.next()) {
      if (bytes >= MOST_BYTES && !CellUtil.matchingRows(cell, last)) {
        return CellUtil.cloneRow(cell);
      }
      bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      if (bytes >= MOST_BYTES && last.length == 0) {
        last = CellUtil.cloneRow(cell);
      }
      held = take(cell, held, file, reader);
    }
    return end;
  }

  /** Bytes on the heap, about. */
  public long weight() {
    return parts.stream().mapToLong(Part::weight).sum();
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(parts.size());
    for (Part part : parts) {
      Bytes.writeByteArray(out, part.firstRow());
      out.writeInt(part.cells());
    }
  }

  public static Blocks read(DataInput in) throws IOException {
    int count = in.readInt();
    List<Part> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(new Part(Bytes.readByteArray(in), in.readInt()));
    }
    return new Blocks(parts);
  }
}
