package io.deli.test.gc;

import io.deli.entry.WriteId;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of one region, written as by DELI's client but with the test's timestamps, and compacted
 * when the test says so.
 */
final class CompactedTable extends TestTable implements AutoCloseable {
  private static final AtomicLong IDS = new AtomicLong();

  private final Table base;
  private final int compactions;

  private CompactedTable(TestTable table, int compactions) throws IOException {
    super(table);
    this.compactions = compactions;
    base = table();
  }

  /**
   * A table.
   *
   * @param compactions that {@link #major} makes
   * @param values of the descriptor: key, value, key, value ...
   */
  static CompactedTable create(
      TableDescriptorBuilder table,
      List<IndexDefinition> definitions,
      int compactions,
      String... values)
      throws IOException {
    table.setValue("hbase.store.delete.expired.storefile", "false");
    for (int i = 0; i < values.length; i += 2) {
      table.setValue(values[i], values[i + 1]);
    }
    return new CompactedTable(create(table, definitions), compactions);
  }

  Table base() {
    return base;
  }

  /** Writes as a client that drew the timestamp itself. */
  void write(String row, long timestamp, String value) throws IOException {
    write(put(row, timestamp, value), WriteId.NONE);
  }

  /** Writes as a client whose application gave the timestamp; returns the write's identity. */
  WriteId writeAgain(String row, long timestamp, String value) throws IOException {
    WriteId id = WriteId.of(System.currentTimeMillis(), IDS.incrementAndGet());
    Put put = put(row, timestamp, value);
    put.setAttribute(WriteId.ATTRIBUTE, id.toBytes());
    write(put, id);
    return id;
  }

  void write(Put put, WriteId id) throws IOException {
    write(List.of(put), id);
  }

  void write(List<Put> puts, WriteId id) throws IOException {
    for (Index index : indexes()) {
      List<BaseVersion> versions = new ArrayList<>();
      for (Put put : puts) {
        for (Cell cell : put.get(FAMILY, index.column().qualifier())) {
          versions.add(
              new BaseVersion(put.getRow(), CellUtil.cloneValue(cell), cell.getTimestamp(), id));
        }
      }
      putEntries(index, versions);
    }
    base.put(puts);
  }

  void delete(Delete delete) throws IOException {
    base.delete(delete);
  }

  static Delete deleteOf(String row) {
    return new Delete(Bytes.toBytes(row));
  }

  /** The only region. */
  HRegion region() {
    return regions().get(0);
  }

  /** Compacts some files, as HBase chooses. */
  void minor() throws IOException {
    region().compact(false);
    awaitQuiet();
  }

  /** Compacts all files, as often as garbage needs to be gone. */
  void major() throws IOException {
    for (int i = 0; i < compactions; i++) {
      majorOnce();
    }
  }

  /** The same, for a thread of its own. */
  FutureTask<Void> majorTask() {
    return new FutureTask<>(
        () -> {
          major();
          return null;
        });
  }

  /** Compacts all files; returns when what follows a compaction is done, too. */
  void majorOnce() throws IOException {
    region().compact(true);
    awaitQuiet();
  }

  /** Returns when no compaction, nor what follows one, is under way. */
  void awaitQuiet() throws IOException {
    HRegion region = region();
    MiniCluster.utility()
        .waitFor(60_000, 10, () -> region.getCompactionState() == CompactionState.NONE);
  }

  /** Closes the only region of a table; returns its name when it is nowhere. */
  static byte[] unassign(TableName table) throws IOException {
    Admin admin = MiniCluster.utility().getAdmin();
    byte[] region = admin.getRegions(table).get(0).getRegionName();
    admin.unassign(region);
    MiniCluster.utility()
        .waitFor(
            60_000, () -> MiniCluster.utility().getMiniHBaseCluster().getRegions(table).isEmpty());
    return region;
  }

  void flushAndMajor() throws IOException {
    flush();
    major();
  }

  void majorOfIndexes() throws IOException {
    for (Index index : indexes()) {
      compact(index.table());
    }
  }

  @Override
  public void close() throws IOException {
    base.close();
  }
}
