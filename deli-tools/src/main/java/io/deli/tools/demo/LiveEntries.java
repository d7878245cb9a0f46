package io.deli.tools.demo;

import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Counts the entries that the visible versions of a table call for. */
final class LiveEntries {
  private LiveEntries() {}

  /** By index name. */
  static Map<String, Long> count(Connection connection, TableName name) throws IOException {
    Map<String, Long> live = new TreeMap<>();
    List<Index> indexes;
    try (Admin admin = connection.getAdmin()) {
      indexes = Index.allOf(admin.getDescriptor(name));
    }
    indexes.forEach(index -> live.put(index.name(), 0L));
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().readAllVersions().setCaching(1000))) {
      for (Result row : rows) {
        for (Index index : indexes) {
          for (Cell cell :
              row.getColumnCells(index.column().family(), index.column().qualifier())) {
            long entries = index.entries(BaseVersion.of(cell, WriteId.NONE)).size();
            live.merge(index.name(), entries, Long::sum);
          }
        }
      }
    }
    return live;
  }
}
