package io.deli.tools.mapreduce;

import io.deli.entry.WriteId;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.files.StoredCells;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Writes the cells of a row in their order, of each column that of the last line. Cells of indexed
 * columns keep the write id that their entries have; others need none.
 */
final class LoadReducer
    extends Reducer<ImmutableBytesWritable, KeyValue, ImmutableBytesWritable, Cell> {
  private List<Index> identified;

  @Override
  protected void setup(Context context) throws IOException {
    TableDescriptor table = DeliJob.table(context.getConfiguration());
    identified = IndexDefinitions.maintained(Index.allOf(table));
  }

  @Override
  protected void reduce(ImmutableBytesWritable row, Iterable<KeyValue> cells, Context context)
      throws IOException, InterruptedException {
    // Each is an object of its own: HBase reads no cell into another.
    NavigableMap<Cell, KeyValue> last = new TreeMap<>(CellComparator.getInstance());
    cells.forEach(cell -> last.merge(cell, cell, LoadReducer::later));
    for (KeyValue cell : last.values()) {
      boolean keepsId = cell.getTagsLength() == 0 || isIdentified(cell);
      context.write(row, keepsId ? cell : StoredCells.identified(cell, WriteId.NONE));
    }
  }

  private static KeyValue later(KeyValue one, KeyValue other) {
    return Bytes.compareTo(WriteId.of(one).toBytes(), WriteId.of(other).toBytes()) < 0
        ? other
        : one;
  }

  private boolean isIdentified(Cell cell) {
    return identified.stream().anyMatch(index -> index.key().include(cell));
  }
}
