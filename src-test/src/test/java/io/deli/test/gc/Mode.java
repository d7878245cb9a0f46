package io.deli.test.gc;

import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;

/** The modes of garbage collection that collect. */
enum Mode {
  STREAMING,
  BEFORE,
  STAGED;

  /** After so many compactions of all files, what was garbage before the first is gone. */
  int compactions() {
    return this == STAGED ? 2 : 1;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A table whose family keeps so many versions, exactly indexed by {@code by_q}. */
  CompactedTable create(String stem, int versions, String... values) throws IOException {
    return create(stem, versions, List.of(TestTable.byQ()), values);
  }

  /** A table of one version, whose compactions wait so long for the index. */
  CompactedTable waiting(String stem, long timeoutMillis) throws IOException {
    return create(
        stem,
        1,
        "deli.gc.timeout.ms",
        Long.toString(timeoutMillis),
        // Else HBase itself ends a compaction that hinders a close, after ten seconds.
        "hbase.hstore.close.check.time.interval",
        "600000");
  }

  CompactedTable create(
      String stem, int versions, List<IndexDefinition> definitions, String... values)
      throws IOException {
    return create(stem, family -> family.setMaxVersions(versions), definitions, values);
  }

  /**
   * A table.
   *
   * @param values of the descriptor: key, value, key, value ...
   */
  CompactedTable create(
      String stem,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      List<IndexDefinition> definitions,
      String... values)
      throws IOException {
    return CompactedTable.create(
        TestTable.describe(MiniCluster.uniqueTable(stem), family).setValue("deli.gc.mode", text()),
        definitions,
        compactions(),
        values);
  }
}
