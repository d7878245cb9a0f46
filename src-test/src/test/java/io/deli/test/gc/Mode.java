package io.deli.test.gc;

import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;

/** The modes of garbage collection that collect. */
enum Mode {
  STREAMING(1),
  BEFORE(1),
  STAGED(2);

  private final int compactions;

  Mode(int compactions) {
    this.compactions = compactions;
  }

  /** After so many compactions of all files, what was garbage before the first is gone. */
  int compactions() {
    return compactions;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A table whose family keeps so many versions, exactly indexed by {@code by_q}. */
  IndexedTable create(String stem, int versions) throws IOException {
    return create(
        MiniCluster.uniqueTable(stem),
        ColumnFamilyDescriptorBuilder.newBuilder(IndexedTable.FAMILY).setMaxVersions(versions),
        List.of(IndexDefinition.on("by_q", IndexedTable.COLUMN)),
        List.of());
  }

  /** A table of one version, whose compactions wait so long for the index. */
  IndexedTable waiting(String stem, long timeoutMillis) throws IOException {
    return create(
        MiniCluster.uniqueTable(stem),
        ColumnFamilyDescriptorBuilder.newBuilder(IndexedTable.FAMILY),
        List.of(IndexDefinition.on("by_q", IndexedTable.COLUMN)),
        List.of(
            "deli.gc.timeout.ms",
            Long.toString(timeoutMillis),
            // Else HBase itself ends a compaction that hinders a close, after ten seconds.
            "hbase.hstore.close.check.time.interval",
            "600000"));
  }

  /**
   * A table.
   *
   * @param values of the descriptor: key, value, key, value ...
   */
  IndexedTable create(
      TableName name,
      ColumnFamilyDescriptorBuilder family,
      List<IndexDefinition> definitions,
      List<String> values)
      throws IOException {
    List<String> all = new ArrayList<>(values);
    all.addAll(List.of("deli.gc.mode", text()));
    return IndexedTable.create(name, family, definitions, all, compactions);
  }
}
