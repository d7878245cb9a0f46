package io.deli.lab.torture;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A column in which each write leaves its number, and which keeps all versions: it tells, in the
 * end, the timestamps that writes were applied with. A client may draw several for one write.
 */
final class WriteNumbers {
  private static final byte[] FAMILY = Bytes.toBytes("i");
  private static final byte[] QUALIFIER = Bytes.toBytes("number");

  private WriteNumbers() {}

  static ColumnFamilyDescriptor family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
        .setMaxVersions(Integer.MAX_VALUE)
        .setKeepDeletedCells(KeepDeletedCells.TRUE)
        .build();
  }

  static void leave(long number, Put put) {
    put.addColumn(FAMILY, QUALIFIER, Bytes.toBytes(number));
  }

  /** The timestamps of the writes that took effect, by number. */
  static Map<Long, Set<Long>> read(Connection plain, TableName name) throws IOException {
    Map<Long, Set<Long>> timestamps = new HashMap<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner =
            table.getScanner(
                new Scan().addFamily(FAMILY).readAllVersions().setRaw(true).setBatch(1_000))) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          if (cell.getType() == Cell.Type.Put) {
            timestamps
                .computeIfAbsent(Bytes.toLong(CellUtil.cloneValue(cell)), n -> new TreeSet<>())
                .add(cell.getTimestamp());
          }
        }
      }
    }
    return timestamps;
  }
}
