package io.deli.test.hbase;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Whether each version that a scan of a base table shows has its entry. Entries beyond those are no
 * fault: they go with a compaction, or when a reader meets them.
 */
final class MissingEntries {
  private static final int PATIENCE_MILLIS = 10_000;

  private static final List<String> PAST_CLIENT =
      IndexedColumns.lines("/hbase/written-past-client.txt")
          .map(line -> line.split("\\s*[|]", 2)[0])
          .toList();

  private final Connection connection;

  MissingEntries(Connection connection) {
    this.connection = connection;
  }

  /**
   * Checks a table, if it has indexes and can be read, unless {@code written-past-client.txt} names
   * it.
   *
   * @throws DoNotRetryIOException if entries are missing
   */
  void require(TableDescriptor table) throws IOException {
    if (PAST_CLIENT.stream().anyMatch(table.getTableName().getQualifierAsString()::startsWith)) {
      return;
    }
    for (Index index : Index.allOf(table)) {
      Set<Entry> expected;
      Set<Entry> missing;
      try {
        // The base is read first: an entry is written before its version.
        expected = ofVersions(table.getTableName(), index);
        missing = missing(expected, index);
      } catch (IOException e) {
        // A table that a test has broken or disabled tells nothing of DELI.
        System.out.println("NOT CHECKED " + table.getTableName() + ": " + e);
        return;
      }
      if (!missing.isEmpty()) {
        throw new DoNotRetryIOException("no entry in " + index.table() + " of " + missing);
      }
      System.out.println("CHECKED " + index.table() + ": " + expected.size() + " entries");
    }
  }

  private Set<Entry> ofVersions(TableName base, Index index) throws IOException {
    Set<Entry> entries = new HashSet<>();
    Scan column = new Scan().addColumn(index.column().family(), index.column().qualifier());
    scan(base, column, cell -> entries.addAll(index.entries(BaseVersion.of(cell, WriteId.NONE))));
    return entries;
  }

  private Set<Entry> missing(Set<Entry> expected, Index index) throws IOException {
    Set<Entry> missing = new HashSet<>(expected);
    EntryCodec codec = new EntryCodec(index.definition().order());
    scan(index.table(), new Scan(), cell -> missing.remove(codec.decode(cell).withoutId()));
    return missing;
  }

  private interface Taker {
    void take(Cell cell);
  }

  private void scan(TableName name, Scan scan, Taker taker) throws IOException {
    try (Table table =
            connection
                .getTableBuilder(name, null)
                .setOperationTimeout(PATIENCE_MILLIS)
                .setReadRpcTimeout(PATIENCE_MILLIS)
                .build();
        ResultScanner rows = table.getScanner(scan.readAllVersions())) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        Arrays.stream(row.rawCells()).forEach(taker::take);
      }
    }
  }
}
