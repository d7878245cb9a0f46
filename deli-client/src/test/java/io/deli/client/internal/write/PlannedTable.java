package io.deli.client.internal.write;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Table {@code t} of family {@code f}, to which tests plan writes. */
final class PlannedTable {
  static final byte[] ROW = {'r'};
  static final byte[] F = {'f'};
  static final byte[] Q = {'q'};
  static final byte[] OTHER = {'o'};
  static final byte[] VALUE = {'v'};

  private PlannedTable() {}

  static KnownIndexes table(IndexDefinition... definitions) {
    return table(family -> family, Durability.USE_DEFAULT, definitions);
  }

  static KnownIndexes table(
      UnaryOperator<ColumnFamilyDescriptorBuilder> change,
      Durability durability,
      IndexDefinition... definitions) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setDurability(durability)
            .setColumnFamily(
                change
                    .apply(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3))
                    .build());
    for (IndexDefinition definition : definitions) {
      IndexDefinitions.put(table, definition);
    }
    return KnownIndexes.of(table.build(), 0);
  }

  static WritePlanner planner(IndexDefinition... definitions) {
    AtomicLong clock = new AtomicLong(1_000);
    WriteContext context =
        new WriteContext(row -> clock.getAndIncrement(), InstantSource.system(), System::nanoTime);
    return new WritePlanner(table(definitions), context);
  }

  /** A writer that reaches no server. */
  static IndexedTableWriter writer(LongSupplier ticker, IndexDefinition... definitions) {
    return new IndexedTableWriter(setup(unused(), ticker, definitions));
  }

  static Setup setup(TableClients clients, LongSupplier ticker, IndexDefinition... definitions) {
    return setup(
        clients, ticker, CompletableFuture.completedFuture(table(definitions).descriptor()));
  }

  /** Definitions that are read when the future is done. */
  static Setup setup(
      TableClients clients, LongSupplier ticker, CompletableFuture<TableDescriptor> definitions) {
    return new Setup(
        TableName.valueOf("t"),
        new DefinitionCache(name -> definitions, 60_000, ticker),
        clients,
        new WriteContext(row -> 1_000, InstantSource.system(), ticker),
        WriteRules.of(HBaseConfiguration.create()),
        ClientMetrics.off().writes());
  }

  private static TableClients unused() {
    return (TableClients)
        Proxy.newProxyInstance(
            TableClients.class.getClassLoader(),
            new Class<?>[] {TableClients.class},
            (self, method, arguments) -> {
              throw new AssertionError("not to be called: " + method);
            });
  }

  static Put put() {
    return new Put(ROW).addColumn(F, Q, VALUE);
  }
}
