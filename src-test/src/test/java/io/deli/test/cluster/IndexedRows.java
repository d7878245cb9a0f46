package io.deli.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with one index on a cluster of processes, and what plain HBase sees of both. */
final class IndexedRows extends TestTable {
  private final OperatedCluster cluster;

  private IndexedRows(OperatedCluster cluster, TestTable table) {
    super(table);
    this.cluster = cluster;
  }

  /** Creates a table, and then its index as an operator does. */
  static IndexedRows create(OperatedCluster cluster, String stem, int versions) throws IOException {
    return new IndexedRows(
        cluster,
        createAsOperator(
            cluster.connection(),
            describe(cluster.uniqueTable(stem), family -> family.setMaxVersions(versions)),
            List.of(byQ())));
  }

  /** Major-compacts the base table only; asks nothing of the master. */
  void compactBase() throws Exception {
    byte[] region = requestCompaction();
    try (Admin admin = cluster.connection().getAdmin()) {
      Eventually.holdsElsewhere(
          () ->
              assertThat(admin.getCompactionStateForRegion(region))
                  .isEqualTo(CompactionState.NONE));
    }
  }

  /** Has the base table's region major-compacted; returns its name as soon as it will be. */
  byte[] requestCompaction() throws IOException {
    try (Admin admin = cluster.connection().getAdmin();
        RegionLocator locator = cluster.connection().getRegionLocator(name())) {
      byte[] region = locator.getRegionLocation(new byte[0]).getRegion().getRegionName();
      admin.majorCompactRegion(region);
      return region;
    }
  }

  /** All that the index finds, as {@code row=value}. */
  Set<String> findAll() throws IOException {
    return find(ValueQuery.on(INDEX).atLeast(new byte[0]));
  }

  /** The rows that have this value, as {@code row=value}. */
  Set<String> find(String value) throws IOException {
    return find(ValueQuery.on(INDEX).equalTo(Bytes.toBytes(value)));
  }

  private Set<String> find(ValueQuery query) throws IOException {
    Set<String> found = new TreeSet<>();
    try (DeliTable table = cluster.indexed().getTable(name());
        ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        found.add(text(hit.row(), hit.value()));
      }
    }
    return found;
  }

  /** The newest value of each row. */
  Set<String> current() throws IOException {
    Set<String> current = new TreeSet<>();
    for (Cell cell : cells(new Scan())) {
      current.add(text(CellUtil.cloneRow(cell), CellUtil.cloneValue(cell)));
    }
    return current;
  }

  private static String text(byte[] row, byte[] value) {
    return Bytes.toString(row) + "=" + Bytes.toString(value);
  }

  /** Every version that a scan sees has its entry, and nothing else has one. */
  void assertExact() throws IOException {
    assertThat(entrySet()).isEqualTo(justified());
  }
}
