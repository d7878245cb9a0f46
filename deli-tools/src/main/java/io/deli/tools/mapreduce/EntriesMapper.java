package io.deli.tools.mapreduce;

import io.deli.index.Index;
import io.deli.strategy.VersionEntries;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.KeyOnlyCellComparable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.mapreduce.Counter;

/** Makes the entries of the rows of a region. */
final class EntriesMapper extends TableMapper<WritableComparable<?>, KeyValue> {
  /** Where HBase counts how often a task's scan was begun anew. */
  private static final String HBASE_COUNTERS = "HBaseCounters";

  private static final String RESTARTS = "NUM_SCANNER_RESTARTS";

  private VersionEntries versions;
  private boolean sortsCells;
  private Counter rows;
  private Counter entries;

  /** What is counted. */
  enum Count {
    ROWS,
    ENTRIES,
    REFUSED
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    try {
      Index index = EntriesJob.index(context.getConfiguration());
      versions = new VersionEntries(index);
      sortsCells = EntriesJob.sortsCells(index);
      rows = context.getCounter(Count.ROWS);
      entries = context.getCounter(Count.ENTRIES);
      super.run(context);
      requireOneScan(context);
      context.getCounter(Count.REFUSED).increment(versions.refused());
    } catch (IOException | RuntimeException e) {
      Staging.note(context, e);
      throw e;
    }
  }

  /**
   * A scan that is begun anew passes over the first row it meets, which need not be the one that
   * was read last: that one may be gone.
   */
  private static void requireOneScan(Context context) throws IOException {
    if (context.getCounter(HBASE_COUNTERS, RESTARTS).getValue() > 0) {
      throw new IOException("region servers did not answer for a while: rows may have been missed");
    }
  }

  @Override
  protected void map(ImmutableBytesWritable key, Result row, Context context)
      throws IOException, InterruptedException {
    rows.increment(1);
    for (Put put : versions.of(row)) {
      for (List<Cell> cells : put.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          KeyValue entry = withTimeToLive(cell, put.getTTL());
          context.write(key(entry), entry);
          entries.increment(1);
        }
      }
    }
  }

  /** As a region server keeps what was put with a time to live. */
  private static KeyValue withTimeToLive(Cell cell, long millis) {
    if (millis == Long.MAX_VALUE) {
      return KeyValueUtil.copyToNewKeyValue(cell);
    }
    List<Tag> tags = List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(millis)));
    return KeyValueUtil.copyToNewKeyValue(PrivateCellUtil.createCell(cell, tags));
  }

  private WritableComparable<?> key(KeyValue entry) {
    return sortsCells
        ? new KeyOnlyCellComparable(entry)
        : new ImmutableBytesWritable(CellUtil.cloneRow(entry));
  }
}
