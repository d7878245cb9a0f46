package io.deli.test.read;

import io.deli.client.Continuation;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.read.CurrentDefinitions;
import io.deli.client.internal.read.QueryEngine;
import io.deli.config.DeliSettings;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose indexes are written by hand, each half of a write by itself, so that a test decides
 * what the reader meets. Nothing is collected here. Tables stay until the cluster ends: to drop
 * them takes longer than most tests.
 */
final class QueriedTable extends TestTable {
  private static AsyncConnection async;

  private final CurrentDefinitions definitions;

  private QueriedTable(TestTable table, CurrentDefinitions definitions) {
    super(table);
    this.definitions = definitions;
  }

  static QueriedTable create(
      String stem,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      IndexDefinition... definitions)
      throws IOException {
    TableDescriptorBuilder table =
        describe(MiniCluster.uniqueTable(stem), family).setValue("deli.gc.mode", "off");
    TestTable created = create(table, List.of(definitions));
    CompletableFuture<KnownIndexes> known =
        CompletableFuture.completedFuture(KnownIndexes.of(table.build(), 0));
    return new QueriedTable(
        created, new CurrentDefinitions(created.name(), () -> known, () -> known));
  }

  static Column column(String qualifier) {
    return Column.of(FAMILY, Bytes.toBytes(qualifier));
  }

  /** Shared; do not close it. */
  static synchronized AsyncConnection async() {
    if (async == null) {
      async = ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).join();
    }
    return async;
  }

  /** Returns definitions that never change. */
  CurrentDefinitions definitions() {
    return definitions;
  }

  /** Both halves of a write, for all indexes on the column. */
  void write(String row, Column column, byte[] value, long timestamp) throws IOException {
    writeEntries(row, column, value, timestamp, WriteId.NONE);
    writeBase(row, column, value, timestamp);
  }

  /** The first half. */
  void writeEntries(String row, Column column, byte[] value, long timestamp, WriteId id)
      throws IOException {
    BaseVersion version = new BaseVersion(Bytes.toBytes(row), value, timestamp, id);
    for (Index index : indexes()) {
      if (index.column().equals(column)) {
        putEntries(index, List.of(version));
      }
    }
  }

  /** The second half. */
  void writeBase(String row, Column column, byte[] value, long timestamp) throws IOException {
    try (Table table = table()) {
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(column.family(), column.qualifier(), timestamp, value));
    }
  }

  static QueryEngine lookups(int page) {
    return lookups(page, 1 << 20);
  }

  /** With a memory of so many bytes. */
  static QueryEngine lookups(int page, long memory) {
    Configuration configuration = MiniCluster.configuration();
    configuration.setLong(DeliSettings.READ_MEMORY.key(), memory);
    configuration.setInt("deli.read.page", page);
    return lookups(configuration, InstantSource.system());
  }

  static QueryEngine lookups(Configuration configuration, InstantSource clock) {
    return lookups(async(), configuration, clock);
  }

  /** Without metrics. */
  static QueryEngine lookups(
      AsyncConnection connection, Configuration configuration, InstantSource clock) {
    return new QueryEngine(
        connection,
        configuration,
        ClientEnvironment.of(clock, System::nanoTime),
        ClientMetrics.off());
  }

  ValueScanner open(QueryEngine lookups, ValueQuery query) throws IOException {
    return Futures.await(lookups.begin(definitions, query));
  }

  List<ValueHit> read(QueryEngine lookups, ValueQuery query) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    try (ValueScanner scanner = open(lookups, query)) {
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit.get());
      }
    }
    return hits;
  }

  /** Reads to the end in runs of {@code limit}, each from the continuation of the one before. */
  List<ValueHit> readOn(QueryEngine lookups, ValueQuery query, int limit) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    Optional<Continuation> from = Optional.empty();
    do {
      ValueQuery run = from.map(query::from).orElse(query).limit(limit);
      try (ValueScanner scanner = open(lookups, run)) {
        scanner.forEach(hits::add);
        from = scanner.continuation();
      }
    } while (from.isPresent());
    return hits;
  }
}
