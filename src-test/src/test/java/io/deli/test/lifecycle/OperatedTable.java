package io.deli.test.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.lab.torture.Audit;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with an index, as clients see it that come to it after HBase's own tools were used. The
 * connections are shared and stay open.
 */
final class OperatedTable extends TestTable {
  static final byte[] OTHER_FAMILY = Bytes.toBytes("g");

  private static DeliConnection clients;
  private static DeliConnection operators;

  OperatedTable(TableName name) {
    super(MiniCluster.connection(), name, List.of());
  }

  /** What uses a client. */
  @FunctionalInterface
  interface Use<R> {
    R on(DeliTable table) throws IOException;
  }

  /** What uses an admin. */
  @FunctionalInterface
  interface Operation<R> {
    R by(DeliAdmin admin) throws IOException;
  }

  static OperatedTable create(String stem, UnaryOperator<ColumnFamilyDescriptorBuilder> family)
      throws IOException {
    return create(stem, family, definition -> definition);
  }

  static OperatedTable create(
      String stem,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<IndexDefinition> index)
      throws IOException {
    OperatedTable table = new OperatedTable(MiniCluster.uniqueTable(stem));
    table.createPlain(family);
    table.createIndex(index);
    return table;
  }

  static OperatedTable ofNoIndex(String stem) throws IOException {
    OperatedTable table = new OperatedTable(MiniCluster.uniqueTable(stem));
    table.createPlain(family -> family);
    return table;
  }

  static OperatedTable ofTwoRows(String stem) throws IOException {
    OperatedTable table = create(stem, family -> family.setMaxVersions(1));
    table.write("r1", "old");
    table.write("r2", "same");
    return table;
  }

  /** HBase's own tools; shared. */
  static Admin hbase() throws IOException {
    return MiniCluster.utility().getAdmin();
  }

  /** Of one table, as HBase takes it. */
  static String snapshot(TableName table) throws IOException {
    String name = MiniCluster.uniqueTable("snapshot").getNameAsString();
    hbase().snapshot(name, table);
    return name;
  }

  void createPlain(UnaryOperator<ColumnFamilyDescriptorBuilder> family) throws IOException {
    hbase()
        .createTable(
            describe(name(), family)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER_FAMILY))
                .build());
  }

  void createIndex(UnaryOperator<IndexDefinition> index) throws IOException {
    createIndex(index, ExistingRows.REFUSE);
  }

  void createIndex(UnaryOperator<IndexDefinition> index, ExistingRows existing) throws IOException {
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(
            name(), index.apply(byQ()), CreateIndexOptions.DEFAULT.withExistingRows(existing));
  }

  /** The table of the index that is, or was, there. */
  TableName indexTable() {
    TableName first = IndexDefinitions.indexTable(name(), INDEX);
    try {
      return hbase().tableExists(name())
          ? IndexDefinitions.of(hbase().getDescriptor(name())).stream()
              .filter(definition -> definition.name().equals(INDEX))
              .flatMap(definition -> IndexDefinitions.indexTable(name(), definition).stream())
              .findFirst()
              .orElse(first)
          : first;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By a client that looks at the definitions each time. */
  <R> R use(Use<R> use) throws IOException {
    try (DeliTable table = clients().getTable(name())) {
      return use.on(table);
    }
  }

  private static synchronized DeliConnection clients() throws IOException {
    if (clients == null) {
      clients = connect(1);
    }
    return clients;
  }

  private static DeliConnection connect(long leaseMillis) throws IOException {
    return MiniCluster.connect(MiniCluster.configuration(leaseMillis));
  }

  static <R> R operate(Operation<R> operation) throws IOException {
    return operation.by(operators().getDeliAdmin());
  }

  /** Builds wait for the lease. */
  private static synchronized DeliConnection operators() throws IOException {
    if (operators == null) {
      operators = connect(500);
    }
    return operators;
  }

  void write(String row, String value) throws IOException {
    write(put(row, value));
  }

  void write(String row, String value, long timestamp) throws IOException {
    write(put(row, timestamp, value));
  }

  private void write(Put put) throws IOException {
    use(
        table -> {
          table.put(put);
          return null;
        });
  }

  /** A list of two rows. */
  void writeBoth(String row, String other, String value) throws IOException {
    List<Put> puts = new ArrayList<>(List.of(put(row, value), put(other, value)));
    use(
        table -> {
          table.put(puts);
          return null;
        });
  }

  void delete(String row, long timestamp) throws IOException {
    use(
        table -> {
          table.delete(new Delete(Bytes.toBytes(row), timestamp));
          return null;
        });
  }

  void alter(UnaryOperator<ColumnFamilyDescriptorBuilder> change) throws IOException {
    ColumnFamilyDescriptor family = hbase().getDescriptor(name()).getColumnFamily(FAMILY);
    hbase()
        .modifyColumnFamily(
            name(), change.apply(ColumnFamilyDescriptorBuilder.newBuilder(family)).build());
  }

  void build() throws IOException {
    operate(admin -> admin.build(name(), INDEX, BuildOptions.DEFAULT, ProgressListener.NONE));
  }

  void disableIndex() throws IOException {
    operate(
        admin -> {
          admin.disable(name(), INDEX);
          return null;
        });
  }

  /** Whatever rows it lacks. */
  void enableIndex() throws IOException {
    operate(
        admin -> {
          admin.enable(name(), INDEX, ExistingRows.LEAVE_UNINDEXED);
          return null;
        });
  }

  void dropIndex() throws IOException {
    operate(
        admin -> {
          admin.dropIndex(name(), INDEX);
          return null;
        });
  }

  VerifyReport verify(VerifyOptions options) throws IOException {
    return operate(admin -> admin.verify(name(), INDEX, options, ProgressListener.NONE));
  }

  IndexState state() throws IOException {
    return operate(admin -> admin.describe(name(), INDEX).state());
  }

  /** The rows that have this value now, as {@code row=value@timestamp}. */
  Set<String> find(String value) throws IOException {
    return find(ValueQuery.on(INDEX).equalTo(Bytes.toBytes(value)));
  }

  Set<String> find(ValueQuery query) throws IOException {
    return use(table -> hits(table, query));
  }

  /** Rows without their timestamps. */
  static Set<String> rows(Set<String> hits) {
    Set<String> rows = new TreeSet<>();
    hits.forEach(hit -> rows.add(hit.substring(0, hit.indexOf('='))));
    return rows;
  }

  /** The index finds what a scan does, of each row as many versions, as of a time. */
  void assertAnswersLikeAScan(long asOf, int versions) throws IOException {
    Scan scan = new Scan().readVersions(versions);
    ValueQuery all = ValueQuery.on(INDEX).atLeast(new byte[0]).versions(versions);
    if (asOf < Long.MAX_VALUE) {
      scan.setTimeRange(0, asOf + 1);
      all = all.asOf(asOf);
    }
    assertThat(find(all)).isEqualTo(scanned(scan));
  }

  /** Every version that a scan sees has its entry, and nothing else has one. */
  void assertExact() throws IOException {
    Audit audit = Audit.of(MiniCluster.connection(), name());
    assertThat(audit.versions()).isPositive();
    assertThat(audit.missing()).isEmpty();
    assertThat(audit.garbage()).isEmpty();
  }

  /** How many entries no version has. */
  int garbage() throws IOException {
    return Audit.of(MiniCluster.connection(), name()).garbage().size();
  }
}
