package io.deli.lab.experiment;

import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Layout;
import io.deli.ycsb.DeliClient;
import io.deli.ycsb.ValueRead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A table, and one that the application keeps as its index. */
final class NaiveTable extends HBaseTable {
  private static final String IN_PLACE = "in-place";

  private final TableName entries;

  NaiveTable(Lab lab, TableName name, Arm arm, Layout layout, Map<String, String> workload) {
    super(lab, name, arm, layout, workload);
    entries = TableName.valueOf(name.getNameAsString() + "." + INDEX);
  }

  @Override
  List<TableName> entries() {
    return List.of(entries);
  }

  @Override
  public void create() throws IOException {
    createWithoutIndex();
    lab()
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(entries)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            valueCuts().toArray(byte[][]::new));
  }

  @Override
  public DB binding() throws IOException {
    return new NaiveClient(lab().plain(), name(), entries, arm().strategy().equals(IN_PLACE));
  }

  /**
   * An application that keeps an index table by hand: it puts an entry, value and key, and then the
   * row; a lookup scans the entries of a value and gets their rows, whatever value these have now.
   * Or it updates in place: it reads the row before, and deletes the old entry at last. Values have
   * one length.
   */
  @SuppressWarnings("NonApiType") // of YCSB's own interface
  private static final class NaiveClient extends DeliClient {
    private static final byte[] FIELD = Bytes.toBytes(Workloads.FIELD);
    private static final byte[] NOTHING = {};
    private static final byte[] AFTER_ALL_KEYS = {(byte) 0xff};
    private static final int VALUE_LENGTH = Workloads.value(0).length();

    private final Table rows;
    private final Table entries;
    private final boolean inPlace;
    private final List<byte[]> waiting = new ArrayList<>();
    private int batch;

    NaiveClient(Connection connection, TableName rows, TableName entries, boolean inPlace)
        throws IOException {
      super(connection);
      this.rows = connection.getTable(rows);
      this.entries = connection.getTable(entries);
      this.inPlace = inPlace;
    }

    @Override
    public void init() throws DBException {
      super.init();
      batch = Integer.parseInt(getProperties().getProperty(Workloads.BATCH, "1"));
    }

    @Override
    public void cleanup() throws DBException {
      try (rows;
          entries) {
        List<Delete> superseded = sendEntries();
        super.cleanup();
        delete(superseded);
      } catch (IOException e) {
        throw new DBException(e);
      }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      waiting.add(entry(values.get(Workloads.FIELD).toString(), key));
      if (waiting.size() < batch) {
        return super.update(table, key, values);
      }
      try {
        List<Delete> superseded = sendEntries();
        // With the last row of a batch all are sent.
        Status status = super.update(table, key, values);
        delete(superseded);
        return status;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static byte[] entry(String value, String key) {
      return Bytes.toBytes(value + key);
    }

    private static byte[] key(byte[] entry) {
      return Arrays.copyOfRange(entry, VALUE_LENGTH, entry.length);
    }

    /** Puts the entries that wait, and returns those that they supersede, if these are to go. */
    private List<Delete> sendEntries() throws IOException {
      List<Delete> superseded = inPlace ? superseded() : List.of();
      List<Put> puts = new ArrayList<>();
      for (byte[] entry : waiting) {
        puts.add(new Put(entry).addColumn(HBaseTable.FAMILY, NOTHING, NOTHING));
      }
      if (puts.size() == 1) {
        entries.put(puts.get(0));
      } else {
        entries.put(puts);
      }
      waiting.clear();
      return superseded;
    }

    private void delete(List<Delete> superseded) throws IOException {
      if (superseded.size() == 1) {
        entries.delete(superseded.get(0));
      } else if (!superseded.isEmpty()) {
        entries.delete(superseded);
      }
    }

    /** Deletes of the entries that the rows have now. */
    private List<Delete> superseded() throws IOException {
      List<Get> gets =
          waiting.stream()
              .map(entry -> new Get(key(entry)).addColumn(HBaseTable.FAMILY, FIELD))
              .toList();
      Result[] before = gets.size() == 1 ? new Result[] {rows.get(gets.get(0))} : rows.get(gets);
      List<Delete> deletes = new ArrayList<>();
      for (int i = 0; i < before.length; i++) {
        if (!before[i].isEmpty()) {
          byte[] entry = Bytes.add(before[i].value(), before[i].getRow());
          if (!Bytes.equals(entry, waiting.get(i))) {
            deletes.add(new Delete(entry));
          }
        }
      }
      return deletes;
    }

    @Override
    public Status find(String table, ValueRead read, List<HashMap<String, ByteIterator>> result) {
      try {
        List<byte[]> found = entries(read);
        if (read.fields() == null) {
          addRows(found, result);
        } else {
          found.forEach(entry -> result.add(record(key(entry))));
        }
        return Status.OK;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private List<byte[]> entries(ValueRead read) throws IOException {
      List<String> operands = read.operands();
      byte[] last = Bytes.toBytes(operands.get(operands.size() - 1));
      Scan scan =
          new Scan()
              .withStartRow(Bytes.toBytes(operands.get(0)))
              .withStopRow(Bytes.add(last, AFTER_ALL_KEYS));
      List<Cell> found = new ArrayList<>();
      try (ResultScanner scanner = entries.getScanner(scan)) {
        for (Result entry : scanner) {
          found.add(entry.rawCells()[0]);
        }
      }
      if (read.limit() > 0) {
        found.sort(Comparator.comparingLong(Cell::getTimestamp).reversed());
        found = found.subList(0, Math.min(read.limit(), found.size()));
      }
      return found.stream().map(CellUtil::cloneRow).toList();
    }

    private void addRows(List<byte[]> found, List<HashMap<String, ByteIterator>> result)
        throws IOException {
      List<Get> gets =
          found.stream().map(entry -> new Get(key(entry)).addFamily(HBaseTable.FAMILY)).toList();
      for (Result row : rows.get(gets)) {
        HashMap<String, ByteIterator> record = record(row.getRow());
        for (Cell cell : row.rawCells()) {
          record.put(
              Bytes.toString(CellUtil.cloneQualifier(cell)),
              new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
        }
        result.add(record);
      }
    }

    private static HashMap<String, ByteIterator> record(byte[] key) {
      return new HashMap<>(Map.of(KEY, new StringByteIterator(Bytes.toString(key))));
    }
  }
}
