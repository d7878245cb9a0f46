package io.deli.lab.bench;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * An index updated in place by the client over plain HBase tables: read the old value, insert the
 * new entry, write the base, delete the old entry (DELI paper, section IV-A). Like most such code
 * it takes no lock on the row, so it is as fast as this can be, and wrong under concurrent writers
 * of one row.
 */
record InPlaceArm(Connection connection) implements Arm {
  @Override
  public String name() {
    return "in-place";
  }

  @Override
  public Session open() throws IOException {
    return new InPlaceSession(
        connection.getTable(BenchTables.IN_PLACE),
        connection.getTable(BenchTables.inPlaceIndex().table()),
        BenchTables.inPlaceIndex());
  }

  private record InPlaceSession(Table base, Table entries, Index index) implements Session {
    @Override
    public void write(List<Put> puts) throws IOException {
      List<Get> reads = new ArrayList<>(puts.size());
      List<Put> inserts = new ArrayList<>(puts.size());
      List<Put> writes = new ArrayList<>(puts.size());
      long now = System.currentTimeMillis();
      for (Put put : puts) {
        byte[] value =
            CellUtil.cloneValue(put.get(BenchTables.FAMILY, BenchTables.QUALIFIER).get(0));
        reads.add(new Get(put.getRow()).addColumn(BenchTables.FAMILY, BenchTables.QUALIFIER));
        inserts.add(index.codec().put(new Entry(value, put.getRow(), now, WriteId.NONE)));
        writes.add(
            new Put(put.getRow(), now)
                .addColumn(BenchTables.FAMILY, BenchTables.QUALIFIER, now, value));
      }
      Result[] old = reads.size() == 1 ? new Result[] {base.get(reads.get(0))} : base.get(reads);
      PlainArm.put(entries, inserts);
      PlainArm.put(base, writes);
      delete(old, now);
    }

    private void delete(Result[] old, long now) throws IOException {
      List<Delete> deletes = new ArrayList<>(old.length);
      for (Result row : old) {
        if (!row.isEmpty() && row.rawCells()[0].getTimestamp() != now) {
          Cell cell = row.rawCells()[0];
          deletes.add(
              index
                  .codec()
                  .delete(
                      new Entry(
                          CellUtil.cloneValue(cell),
                          row.getRow(),
                          cell.getTimestamp(),
                          WriteId.NONE)));
        }
      }
      if (deletes.size() == 1) {
        entries.delete(deletes.get(0));
      } else if (!deletes.isEmpty()) {
        entries.delete(deletes);
      }
    }

    /** Reads the rows too, as the deferred lookup does. */
    @Override
    public int lookup(byte[] value) throws IOException {
      Lookup lookup = index.strategy().lookup(index, new EqualTo(value));
      List<Get> gets = new ArrayList<>();
      Scan scan =
          new Scan()
              .withStartRow(lookup.startRow())
              .withStopRow(lookup.stopRow())
              .setCaching(256)
              .setReadType(Scan.ReadType.PREAD);
      try (ResultScanner rows = entries.getScanner(scan)) {
        for (Result row : rows) {
          for (Entry entry : lookup.entries().apply(row)) {
            gets.add(new Get(entry.key()).addColumn(BenchTables.FAMILY, BenchTables.QUALIFIER));
          }
        }
      }
      return gets.isEmpty() ? 0 : base.get(gets).length;
    }

    @Override
    public void close() throws IOException {
      base.close();
      entries.close();
    }
  }
}
