package io.deli.test.strategy;

import static io.deli.test.cluster.TestTable.COLUMN;
import static io.deli.test.strategy.ScannedTable.row;
import static io.deli.test.strategy.ScannedTable.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.IndexDefinition;
import io.deli.test.cluster.Background;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.strategy.ScannedTable.Metric;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Writable;
import org.junit.jupiter.api.Test;

/** Files that were written without postings are searched whole until they are compacted. */
class NextSurvivalTest extends FileIndexSurvival {
  @Override
  protected String strategy() {
    return "next";
  }

  @Test
  void bulkLoadedFilesAreIndexedByTheirCompaction() throws Exception {
    assertIsIndexedByItsCompaction(writer -> {});
  }

  /** As DELI wrote them before postings led to rows. */
  @Test
  void filesOfAnotherFormatAreIndexedByTheirCompaction() throws Exception {
    String source = IndexDefinition.on(TestTable.INDEX, COLUMN).tokenSource();
    byte[] name = Bytes.toBytes("deli.next " + source);
    byte[] block = Bytes.add(Bytes.toBytes(name.length), name, new byte[] {1, 0, 0, 0, 0});
    assertIsIndexedByItsCompaction(
        writer -> writer.appendMetaBlock(Bytes.toString(name), new BytesOnly(block)));
  }

  /** It is in memory or in a file at any time, also while files are read ahead of the scan. */
  @Test
  void aRowThatIsFlushedDuringALookupIsFound() throws Exception {
    bulkLoad(10_000, 1 << 10);
    for (int i = 0; i < 20; i++) {
      String row = row(ROWS) + "-" + i;
      byte[] value = Bytes.toBytes("flushed-" + i);
      table
          .table()
          .put(new Put(Bytes.toBytes(row)).addColumn(COLUMN.family(), COLUMN.qualifier(), value));
      CompletableFuture<Void> flush = Background.run(table::flush);
      do {
        assertThat(table.find(value)).containsExactly(row);
      } while (!flush.isDone());
      flush.get();
    }
  }

  private record BytesOnly(byte[] bytes) implements Writable {
    @Override
    public void write(DataOutput out) throws IOException {
      out.write(bytes);
    }

    @Override
    public void readFields(DataInput in) {
      throw new UnsupportedOperationException();
    }
  }

  private void assertIsIndexedByItsCompaction(Consumer<HFile.Writer> more) throws Exception {
    assertIndexesServe(table);
    int length = 1 << 10;
    bulkLoad(10 * length, length, more);
    byte[] first = Bytes.padTail(value(10 * ROWS), length - value(0).length);
    long searched = Metric.SEARCHED_WHOLE.now();
    assertThat(table.find(first)).containsExactly(row(ROWS));
    assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched + 1);
    for (HRegion region : MiniCluster.regions(table.name())) {
      region.compact(true);
    }
    searched = Metric.SEARCHED_WHOLE.now();
    assertThat(table.find(first)).containsExactly(row(ROWS));
    assertThat(Metric.SEARCHED_WHOLE.now()).isEqualTo(searched);
    assertIndexesServe(table);
  }
}
