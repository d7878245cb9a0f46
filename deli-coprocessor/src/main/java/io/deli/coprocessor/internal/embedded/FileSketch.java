package io.deli.coprocessor.internal.embedded;

import io.deli.index.IndexDefinition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What is known of a file's blocks, in order. Immutable; its form in bytes is specified in the
 * package documentation.
 *
 * @param blocks whose rows follow each other without gap
 */
record FileSketch(List<BlockSketch> blocks) {
  private static final byte FORMAT = 1;

  /** All that tokens depend on: a sketch is good for every index of this kind, and no other. */
  static String kind(IndexDefinition definition) {
    return String.join(
        " ",
        definition.column().toString(),
        definition.type().name(),
        definition.tokenizer(),
        new TreeMap<>(definition.options()).toString());
  }

  /** The block in which the row begins, if the file has it. */
  int blockOf(byte[] row) {
    int low = 0;
    int high = Math.max(0, blocks.size() - 1);
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Bytes.compareTo(blocks.get(middle).firstRow(), row) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The first row behind a block; empty for the last one. */
  byte[] endOf(int block) {
    return block + 1 < blocks.size() ? blocks.get(block + 1).firstRow() : HConstants.EMPTY_END_ROW;
  }

  /** Reads the rows that begin in a block, and not the block behind if it can be helped. */
  void read(int block, KeyValueScanner file, Consumer<Cell> cells) throws IOException {
    byte[] end = endOf(block);
    file.seek(PrivateCellUtil.createFirstOnRow(blocks.get(block).firstRow()));
    // The last cell is not stepped over: that would read the block behind.
    for (int left = blocks.get(block).cells(); left > 0; left--) {
      Cell cell = left > 1 ? file.next() : file.peek();
      if (cell == null || !Rows.before(cell, end)) {
        break;
      }
      cells.accept(cell);
    }
    // Or the blocks behind would stay in the cache for as long as the file is open.
    file.shipped();
  }

  /** Bytes on the heap, about. */
  int weight() {
    return 64 + blocks.stream().mapToInt(BlockSketch::weight).sum();
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeInt(blocks.size());
      for (BlockSketch block : blocks) {
        block.write(out);
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} gave.
   *
   * @throws IOException if it is in another format
   */
  static FileSketch from(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IOException("filters in format %d; this DELI reads %d".formatted(format, FORMAT));
      }
      int count = in.readInt();
      List<BlockSketch> blocks = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        blocks.add(BlockSketch.read(in));
      }
      return new FileSketch(blocks);
    }
  }
}
