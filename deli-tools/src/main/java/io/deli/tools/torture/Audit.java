package io.deli.tools.torture;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Base and indexes compared by brute force, at a time when nobody writes.
 *
 * @param versions that the base table shows
 * @param missing versions without an entry, which must never be
 * @param garbage entries without a version
 */
public record Audit(int versions, List<String> missing, List<String> garbage) {
  /** Compares. */
  public static Audit of(Connection plain, TableName base) throws IOException {
    List<Index> indexes;
    try (Admin admin = plain.getAdmin()) {
      indexes = Index.allOf(admin.getDescriptor(base));
    }
    List<Cell> versions = cells(plain, base);
    List<String> missing = new ArrayList<>();
    List<String> garbage = new ArrayList<>();
    for (Index index : indexes) {
      Set<Entry> wanted = wanted(index, versions);
      Set<Entry> present = new HashSet<>();
      for (Cell cell : cells(plain, index.table())) {
        Entry entry = index.codec().decode(cell);
        present.add(new Entry(entry.token(), entry.key(), entry.timestamp(), WriteId.NONE));
      }
      wanted.stream().filter(e -> !present.contains(e)).forEach(e -> missing.add(in(index, e)));
      present.stream().filter(e -> !wanted.contains(e)).forEach(e -> garbage.add(in(index, e)));
    }
    return new Audit(versions.size(), List.copyOf(missing), List.copyOf(garbage));
  }

  private static String in(Index index, Entry entry) {
    return index.name() + ": " + entry;
  }

  private static Set<Entry> wanted(Index index, List<Cell> versions) {
    Set<Entry> wanted = new HashSet<>();
    for (Cell version : versions) {
      if (index.column().matches(version)) {
        wanted.addAll(
            index.entries(
                CellUtil.cloneRow(version),
                CellUtil.cloneValue(version),
                version.getTimestamp(),
                WriteId.NONE));
      }
    }
    return wanted;
  }

  private static List<Cell> cells(Connection plain, TableName name) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }

  /** Whether the indexes hold what they should, and nothing else. */
  public boolean isExact() {
    return missing.isEmpty() && garbage.isEmpty();
  }
}
