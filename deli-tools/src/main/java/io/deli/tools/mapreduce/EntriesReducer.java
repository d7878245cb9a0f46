package io.deli.tools.mapreduce;

import java.io.IOException;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Writes the cells of a row in their order. As HBase's own, but that one also copies each cell and
 * reports the status of the task with each row, though most rows of an index have one cell.
 */
final class EntriesReducer
    extends Reducer<ImmutableBytesWritable, KeyValue, ImmutableBytesWritable, Cell> {
  @Override
  protected void reduce(ImmutableBytesWritable row, Iterable<KeyValue> entries, Context context)
      throws IOException, InterruptedException {
    // Each is an object of its own: HBase reads no cell into another.
    Iterator<KeyValue> cells = entries.iterator();
    KeyValue first = cells.next();
    if (!cells.hasNext()) {
      context.write(row, first);
      return;
    }
    NavigableSet<Cell> sorted = new TreeSet<>(CellComparator.getInstance());
    sorted.add(first);
    cells.forEachRemaining(sorted::add);
    for (Cell cell : sorted) {
      context.write(row, cell);
    }
  }
}
