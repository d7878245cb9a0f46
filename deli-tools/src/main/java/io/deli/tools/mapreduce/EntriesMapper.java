package io.deli.tools.mapreduce;

import io.deli.strategy.Index;
import io.deli.strategy.VersionEntries;
import io.deli.tools.files.StoredCells;
import java.io.IOException;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.KeyOnlyCellComparable;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.mapreduce.Counter;

/** Makes the entries of the rows of a region. */
final class EntriesMapper extends TableMapper<WritableComparable<?>, KeyValue> {
  /** Group of the counter by which HBase tells how often a task's scan was begun anew. */
  private static final String HBASE_COUNTERS = "HBaseCounters";

  private static final String RESTARTS = "NUM_SCANNER_RESTARTS";

  private VersionEntries versions;
  private boolean sortsCells;
  private Counter rows;
  private Counter entries;

  enum Count {
    ROWS,
    ENTRIES,
    REFUSED
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    try {
      Index index = DeliJob.index(context.getConfiguration());
      versions = new VersionEntries(index);
      sortsCells = EntriesJob.sortsCells(index);
      rows = context.getCounter(Count.ROWS);
      entries = context.getCounter(Count.ENTRIES);
      super.run(context);
      requireOneScan(context);
      context.getCounter(Count.REFUSED).increment(versions.refused());
      if (versions.refusal().isPresent()) {
        JobFiles.noteRefusal(context, versions.refusal().get());
      }
    } catch (IOException | RuntimeException e) {
      JobFiles.note(context, e);
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
      for (KeyValue entry : StoredCells.of(put)) {
        context.write(key(entry), entry);
        entries.increment(1);
      }
    }
  }

  private WritableComparable<?> key(KeyValue entry) {
    return sortsCells
        ? new KeyOnlyCellComparable(entry)
        : new ImmutableBytesWritable(CellUtil.cloneRow(entry));
  }
}
