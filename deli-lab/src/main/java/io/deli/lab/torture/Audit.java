package io.deli.lab.torture;

import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.QueryKind;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * Base and indexes compared by brute force when nobody writes: versions without an entry are
 * missing, which must never be, entries without a version are garbage.
 */
public record Audit(int versions, List<String> missing, List<String> garbage) {
  public static Audit of(Connection plain, TableName base) throws IOException {
    List<Index> indexes;
    try (Admin admin = plain.getAdmin()) {
      indexes = Index.allOf(admin.getDescriptor(base));
    }
    List<Cell> versions = new ArrayList<>();
    rows(plain, base).forEach(row -> versions.addAll(row.listCells()));
    List<String> missing = new ArrayList<>();
    List<String> garbage = new ArrayList<>();
    for (Index index : indexes) {
      if (!index.strategy().keepsTable()) {
        continue;
      }
      Set<Entry> wanted = entries(index, known(index, versions));
      Set<Entry> justified = entries(index, versions);
      Set<Entry> present = new HashSet<>();
      for (Result row : rows(plain, index.table())) {
        for (Entry entry : index.entries(row)) {
          present.add(new Entry(entry.token(), entry.key(), entry.timestamp(), WriteId.NONE));
        }
      }
      wanted.stream().filter(e -> !present.contains(e)).forEach(e -> missing.add(in(index, e)));
      present.stream().filter(e -> !justified.contains(e)).forEach(e -> garbage.add(in(index, e)));
    }
    return new Audit(versions.size(), List.copyOf(missing), List.copyOf(garbage));
  }

  private static String in(Index index, Entry entry) {
    return index.name() + ": " + entry;
  }

  /** The versions that must have entries: some indexes know the newest of a row only. */
  private static List<Cell> known(Index index, List<Cell> versions) {
    if (!index.strategy().unanswerable().contains(QueryKind.OLD_VERSIONS)) {
      return versions;
    }
    Set<ByteBuffer> seen = new HashSet<>();
    return versions.stream()
        .filter(index.column()::matches)
        .filter(version -> seen.add(ByteBuffer.wrap(CellUtil.cloneRow(version))))
        .toList();
  }

  private static Set<Entry> entries(Index index, List<Cell> versions) {
    Set<Entry> entries = new HashSet<>();
    for (Cell version : versions) {
      if (index.column().matches(version)) {
        entries.addAll(index.entries(BaseVersion.of(version, WriteId.NONE)));
      }
    }
    return entries;
  }

  private static List<Result> rows(Connection plain, TableName name) throws IOException {
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      List<Result> rows = new ArrayList<>();
      scanner.forEach(rows::add);
      return rows;
    }
  }

  public boolean isExact() {
    return missing.isEmpty() && garbage.isEmpty();
  }

  public String line() {
    return "base versions in the end %d, without entry %d, entries without version %d"
        .formatted(versions, missing.size(), garbage.size());
  }
}
