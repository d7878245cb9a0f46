package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Blocks of a file are given back while it is read, and not looked at any more then. */
class FreedBlocksTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", COLUMN));
  private static final byte[] ROW = Bytes.toBytes("row");

  private static KeyValue cell(byte[] row, long timestamp, byte[] value) {
    return new KeyValue(row, COLUMN.family(), COLUMN.qualifier(), timestamp, value);
  }

  /** Cells in blocks, whose memory is used for something else when they are given back. */
  private static final class File extends NonReversedNonLazyKeyValueScanner {
    private final List<KeyValue> cells;
    private final int cellsOfBlock;
    private int next;
    private int freed;
    private int mostHeld;

    File(List<KeyValue> cells, int cellsOfBlock) {
      this.cells = cells;
      this.cellsOfBlock = cellsOfBlock;
    }

    @Override
    public Cell peek() {
      return next < cells.size() ? cells.get(next) : null;
    }

    @Override
    public Cell next() {
      Cell cell = peek();
      next = Math.min(next + 1, cells.size());
      mostHeld = Math.max(mostHeld, block() + 1 - freed);
      return cell;
    }

    private int block() {
      return Math.min(next, cells.size() - 1) / cellsOfBlock;
    }

    @Override
    public boolean seek(Cell key) {
      next = 0;
      return reseek(key);
    }

    @Override
    public boolean reseek(Cell key) {
      while (peek() != null && CellComparator.getInstance().compare(peek(), key) < 0) {
        next++;
      }
      return peek() != null;
    }

    @Override
    public void shipped() {
      for (; freed < block(); freed++) {
        for (KeyValue cell : cells.subList(freed * cellsOfBlock, (freed + 1) * cellsOfBlock)) {
          int value = cell.getValueOffset();
          Arrays.fill(cell.getValueArray(), value, value + cell.getValueLength(), (byte) 'x');
        }
      }
    }

    @Override
    public void close() {}
  }

  /** Gathers tokens. */
  private static final class Tokens extends FileIndexBuilder {
    private final List<String> tokens = new ArrayList<>();

    Tokens() {
      super(INDEX);
    }

    @Override
    protected void add(byte[] row, byte[] token, long timestamp) {
      tokens.add(Bytes.toString(token));
    }

    @Override
    protected void end(int number) {}

    @Override
    protected NavigableMap<String, Content> encode(Blocks blocks, BooleanSupplier isWanted) {
      return new TreeMap<>();
    }

    @Override
    protected long weight() {
      return 0;
    }
  }

  /** Its blocks are told apart but about, and some end with the last cell of one of HBase's. */
  @Test
  void anIndexIsMadeOfCellsThatAreThere() throws Exception {
    List<String> values = IntStream.range(0, 100).mapToObj("value%03d"::formatted).toList();
    for (int cellsOfBlock = 1; cellsOfBlock <= 10; cellsOfBlock++) {
      List<KeyValue> cells =
          values.stream().map(Bytes::toBytes).map(value -> cell(value, 1, value)).toList();
      File file = new File(cells, 4);
      int blockSize = cellsOfBlock * PrivateCellUtil.estimatedSerializedSizeOf(cells.get(0));
      Tokens builder = new Tokens();
      FileIndexes.read(file, blockSize, Long.MAX_VALUE, () -> false, builder);
      assertThat(builder.tokens).isEqualTo(values);
      assertThat(file.mostHeld).isLessThan(6);
    }
  }

  @Test
  void blocksOfAWideRowAreGivenBack() throws Exception {
    List<KeyValue> cells =
        IntStream.range(0, 100).mapToObj(i -> cell(ROW, 100 - i, new byte[100_000])).toList();
    for (int count : new int[] {cells.size(), Blocks.Part.UNKNOWN}) {
      File file = new File(cells, 1);
      Blocks blocks = new Blocks(List.of(new Blocks.Part(ROW, count)));
      List<Long> times = new ArrayList<>();
      assertThat(blocks.read(0, ROW, file, cell -> times.add(cell.getTimestamp()))).isEmpty();
      assertThat(times).isEqualTo(cells.stream().map(Cell::getTimestamp).toList());
      assertThat(file.mostHeld).isLessThan(15);
    }
  }
}
