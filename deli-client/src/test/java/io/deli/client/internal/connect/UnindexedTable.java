package io.deli.client.internal.connect;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.client.internal.write.TableClient;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteContext;
import io.deli.client.internal.write.WriteRules;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A table without index, whose requests a test answers. */
final class UnindexedTable {
  private UnindexedTable() {}

  static IndexedTableWriter writer(TableName name, TableClient plain) {
    return new IndexedTableWriter(
        new Setup(
            name,
            new DefinitionCache(
                table ->
                    CompletableFuture.completedFuture(
                        TableDescriptorBuilder.newBuilder(name).build()),
                60_000,
                System::nanoTime),
            clients(plain),
            new WriteContext(row -> 1, InstantSource.system(), System::nanoTime),
            WriteRules.of(HBaseConfiguration.create()),
            ClientMetrics.off().writes()));
  }

  private static TableClients clients(TableClient plain) {
    return (TableClients)
        Proxy.newProxyInstance(
            TableClients.class.getClassLoader(),
            new Class<?>[] {TableClients.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "plain" -> plain;
                  case "colocated" -> Optional.empty();
                  default -> null;
                });
  }
}
