package io.deli.lab.fault;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Files loaded into a table in use, which its region servers index; refused where clients maintain
 * an index, which would lack their entries.
 *
 * <p>The rows and values begin with {@link #MARK}, behind those of any text: queries of a workload
 * that names values or bounded ranges never meet them. They are looked for here, by each index, and
 * deleted.
 */
record BulkLoad(Connection connection, TableName base) {
  /** First byte of keys and values; none of UTF-8. */
  static final byte MARK = (byte) 0xfe;

  private static final int ROWS = 200;

  void run() throws IOException {
    List<Index> indexes;
    try (Admin admin = connection.getAdmin()) {
      indexes = Index.allOf(admin.getDescriptor(base));
    }
    for (Index index : indexes) {
      if (index.strategy().keepsTable() && index.definition().maintenance() != Maintenance.SERVER) {
        throw new IOException("clients maintain index " + index.name());
      }
    }
    Configuration conf = connection.getConfiguration();
    String load = Long.toHexString(System.nanoTime());
    Path directory = new Path("/deli/load-" + base.getQualifierAsString() + "-" + load);
    FileSystem files = directory.getFileSystem(conf);
    byte[] value = marked("value-" + load);
    List<byte[]> rows = rows(load);
    try {
      for (Index index : indexes) {
        write(files, directory, index, rows, value);
      }
      BulkLoadHFiles.create(conf).bulkLoad(base, directory);
      try (DeliConnection indexed = DeliConnection.wrap(ConnectionFactory.createConnection(conf));
          DeliTable table = indexed.getTable(base)) {
        for (Index index : indexes) {
          requireFound(table, index.name(), value, rows);
        }
        table.delete(new ArrayList<>(rows.stream().map(Delete::new).toList()));
      }
    } finally {
      files.delete(directory, true);
    }
  }

  private static byte[] marked(String text) {
    return Bytes.add(new byte[] {MARK}, Bytes.toBytes(text));
  }

  private static List<byte[]> rows(String load) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(marked("%s-%05d".formatted(load, i)));
    }
    return rows;
  }

  private void write(FileSystem files, Path directory, Index index, List<byte[]> rows, byte[] value)
      throws IOException {
    Configuration conf = connection.getConfiguration();
    byte[] family = index.column().family();
    byte[] qualifier = index.column().qualifier();
    Path file = new Path(new Path(directory, Bytes.toString(family)), index.name());
    long now = System.currentTimeMillis();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(files, file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (byte[] row : rows) {
        writer.append(new KeyValue(row, family, qualifier, now, value));
      }
    }
  }

  private static void requireFound(DeliTable table, String index, byte[] value, List<byte[]> rows)
      throws IOException {
    TreeSet<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    try (ValueScanner scanner = table.readValue(ValueQuery.on(index).equalTo(value))) {
      for (ValueHit hit : scanner) {
        found.add(hit.row());
      }
    }
    TreeSet<byte[]> loaded = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    loaded.addAll(rows);
    Fault.require(
        found.equals(loaded),
        "index %s finds %d of %d loaded rows".formatted(index, found.size(), loaded.size()));
  }
}
