package io.deli.test.verify;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.tools.mapreduce.VerifyJob;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of three regions with an index of each strategy, of two, on a column of its own, and ways
 * around DELI.
 */
final class VerifiedTable extends TestTable implements AutoCloseable {
  /** Those that keep a table. */
  static final List<String> STRATEGIES =
      List.of("deferred", "composite", "in-place", "eager", "lazy");

  private static final byte[][] SPLITS = {Bytes.toBytes("h"), Bytes.toBytes("m")};

  private final List<String> strategies;
  private final DeliConnection connection;
  private final DeliAdmin admin;

  private VerifiedTable(List<String> strategies, Configuration configuration) throws IOException {
    super(MiniCluster.connection(), MiniCluster.uniqueTable("verified"), List.of());
    this.strategies = strategies;
    this.connection = MiniCluster.connect(configuration);
    this.admin = DeliAdmin.of(connection);
    MiniCluster.utility().createTable(name(), FAMILY, SPLITS).close();
    for (String strategy : strategies) {
      admin.createIndex(
          name(),
          IndexDefinition.on(strategy, column(strategy)).withStrategy(strategy),
          CreateIndexOptions.DEFAULT.withSplits(
              strategy.equals("none") ? List.of() : List.of(Bytes.toBytes("m"))));
    }
  }

  static VerifiedTable of(List<String> strategies) throws IOException {
    return of(strategies, MiniCluster.configuration());
  }

  static VerifiedTable of(List<String> strategies, Configuration configuration) throws IOException {
    return new VerifiedTable(strategies, configuration);
  }

  private static Column column(String strategy) {
    return Column.of(FAMILY, Bytes.toBytes(strategy));
  }

  List<String> strategies() {
    return strategies;
  }

  DeliAdmin admin() {
    return admin;
  }

  Connection connection() {
    return connection;
  }

  Index indexOf(String strategy) throws IOException {
    return Index.of(name(), admin.describe(name(), strategy));
  }

  VerifyReport verify(String strategy, VerifyOptions options) throws IOException {
    return admin.verify(name(), strategy, options, ProgressListener.NONE);
  }

  /** By MapReduce, in this JVM. */
  VerifyReport verifyByJob(String strategy, VerifyOptions options) throws IOException {
    return admin.verify(name(), strategy, options, new VerifyJob(), ProgressListener.NONE);
  }

  /** As an application writes it: all columns get the value. */
  void write(String row, String value) throws IOException {
    write(new Put(Bytes.toBytes(row)), value);
  }

  /** As an application writes it that has timestamps of its own: the versions get write ids. */
  void writeAt(String row, String value, long timestamp) throws IOException {
    write(new Put(Bytes.toBytes(row), timestamp), value);
  }

  private void write(Put put, String value) throws IOException {
    for (String strategy : strategies) {
      put.addColumn(FAMILY, Bytes.toBytes(strategy), Bytes.toBytes(value));
    }
    try (Table table = connection.getTable(name())) {
      table.put(put);
    }
  }

  /** As a writer does who knows nothing of indexes. */
  void writePastDeli(String row, String value, long timestamp) throws IOException {
    Put put = new Put(Bytes.toBytes(row));
    for (String strategy : strategies) {
      put.addColumn(FAMILY, Bytes.toBytes(strategy), timestamp, Bytes.toBytes(value));
    }
    try (Table table = table()) {
      table.put(put);
    }
  }

  /** The first half of a write. */
  void putEntries(String row, String value, long timestamp) throws IOException {
    for (String strategy : strategies) {
      putEntries(indexOf(strategy), List.of(version(row, value, timestamp)));
    }
  }

  void deleteEntries(String row, String value, long timestamp) throws IOException {
    for (String strategy : strategies) {
      deleteEntries(indexOf(strategy), List.of(entryOf(row, value, timestamp)));
    }
  }

  /** Without a trace, which delete markers would leave. */
  void loseEntries() throws IOException {
    for (String strategy : strategies) {
      MiniCluster.loseFiles(indexOf(strategy).table(), EntryCodec.family());
    }
  }

  void expireAfter(Duration life) throws IOException {
    try (Admin hbase = MiniCluster.connection().getAdmin()) {
      hbase.modifyColumnFamily(
          name(),
          ColumnFamilyDescriptorBuilder.newBuilder(
                  hbase.getDescriptor(name()).getColumnFamily(FAMILY))
              .setTimeToLive(Math.toIntExact(life.toSeconds()))
              .build());
    }
  }

  static BaseVersion version(String row, String value, long timestamp) {
    return new BaseVersion(Bytes.toBytes(row), Bytes.toBytes(value), timestamp, WriteId.NONE);
  }

  static Entry entryOf(String row, String value, long timestamp) {
    return new Entry(Bytes.toBytes(value), Bytes.toBytes(row), timestamp, WriteId.NONE);
  }

  /** The findings, by kind and entry. */
  static List<String> texts(VerifyReport report) {
    return report.samples().stream()
        .map(finding -> finding.kind() + " " + finding.entry().map(Object::toString).orElse(""))
        .toList();
  }

  /** Hears from where a verification can go on. */
  static ProgressListener hearing(Consumer<String> positions) {
    return new ProgressListener() {
      @Override
      public void progress(String stage, long done, long total) {}

      @Override
      public void resumable(String position) {
        positions.accept(position);
      }
    };
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
