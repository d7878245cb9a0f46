package io.deli.lab.soak;

import io.deli.lab.torture.TortureTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A plain table beside the load: were handlers starved, its calls would take long. */
final class CanaryTable implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final Connection connection;
  private final TableName name;
  private final List<Double> millis = new ArrayList<>();

  private CanaryTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  static CanaryTable create(Connection connection, TableName beside) throws IOException {
    TableName name = TableName.valueOf(beside.getNameAsString() + "_canary");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    return new CanaryTable(connection, name);
  }

  /** A write and a read. */
  void call() throws IOException {
    byte[] row = Bytes.toBytes(millis.size());
    try (Table table = connection.getTable(name)) {
      long begun = System.nanoTime();
      table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      table.get(new Get(row));
      millis.add((System.nanoTime() - begun) / 1e6);
    }
  }

  SoakReport.Canary latencies() {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    int last = sorted.size() - 1;
    return new SoakReport.Canary(
        sorted.size(), sorted.get(last / 2), sorted.get(last * 99 / 100), sorted.get(last));
  }

  @Override
  public void close() throws IOException {
    TortureTable.drop(connection, name);
  }
}
