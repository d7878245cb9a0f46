package io.deli.test.servermaintained;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;

/** A table whose index the region servers maintain, and what plain HBase sees of both. */
final class ServedTable extends TestTable {
  static final IndexDefinition BY_Q = byQ().withMaintenance(Maintenance.SERVER);

  ServedTable(Connection plain, TableName name, Index index) {
    super(plain, name, List.of(index));
  }

  static ServedTable create(IndexDefinition definition, String stem, int versions)
      throws IOException {
    return create(MiniCluster.connection(), MiniCluster.uniqueTable(stem), definition, versions);
  }

  static ServedTable create(
      Connection plain, TableName name, IndexDefinition definition, int versions, byte[]... splits)
      throws IOException {
    createAsOperator(
        plain,
        describe(name, family -> family.setMaxVersions(versions)),
        List.of(definition),
        splits);
    return new ServedTable(plain, name, Index.of(name, definition));
  }

  /** What queries find and a scan of the base shows are the same, and that. */
  SortedSet<String> assertRight(int versions) throws IOException {
    SortedSet<String> base = base(versions);
    assertThat(found(versions)).isEqualTo(base);
    return base;
  }

  /** Versions of the column as {@code row=value@timestamp}. */
  SortedSet<String> base(int versions) throws IOException {
    return scanned(new Scan().readVersions(versions));
  }

  /** What queries find, in the same form. */
  SortedSet<String> found(int versions) throws IOException {
    try (DeliConnection deli = MiniCluster.connect(plain().getConfiguration());
        DeliTable table = deli.getTable(name())) {
      return hits(table, ValueQuery.on(index().name()).atLeast(new byte[0]).versions(versions));
    }
  }

  /** The entries in the same form, one for each write id. */
  List<String> held() throws IOException {
    return read(index()).stream()
        .map(entry -> hit(entry.key(), entry.token(), entry.timestamp()))
        .toList();
  }

  /** Versions in that form without their timestamps. */
  static List<String> current(SortedSet<String> versions) {
    return versions.stream().map(version -> version.substring(0, version.indexOf('@'))).toList();
  }
}
