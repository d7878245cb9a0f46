package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliTable;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A version may be on another server than its entry: what its writer does without must not be taken
 * from the entry.
 */
class EntryDurabilityTest {
  private static final IndexDefinition BY_CLIENT =
      IndexDefinition.on("by_client", TestTable.COLUMN);
  private static final IndexDefinition BY_SERVER =
      IndexDefinition.on("by_server", TestTable.COLUMN).withMaintenance(Maintenance.SERVER);
  private static final IndexDefinition FOLDED =
      IndexDefinition.on("folded", TestTable.COLUMN).withStrategy("eager");

  /** Of rows whose entries, where one server has both, are synced with them. */
  private static final Set<Durability> SYNCED =
      EnumSet.of(Durability.USE_DEFAULT, Durability.SYNC_WAL);

  /** By index tables, the durabilities with which entries were written. */
  private final Map<TableName, Set<Durability>> seen = new ConcurrentHashMap<>();

  @Test
  void anEntryIsAsDurableAsItsTableHasItOrMore() throws Exception {
    List<IndexDefinition> indexes = List.of(BY_CLIENT, BY_SERVER, FOLDED);
    TestTable written = TestTable.create("durable", 3, indexes);
    for (IndexDefinition index : indexes) {
      record(IndexDefinitions.indexTable(written.name(), index.name()));
    }
    try (Connection connection = MiniCluster.connectConfigured();
        DeliTable table = (DeliTable) connection.getTable(written.name())) {
      for (Durability durability : EnumSet.allOf(Durability.class)) {
        seen.clear();
        write(connection, table, durability);
        for (IndexDefinition index : indexes) {
          Set<Durability> ofEntries =
              seen.get(IndexDefinitions.indexTable(written.name(), index.name()));
          if (SYNCED.contains(durability) && !index.equals(BY_SERVER)) {
            ofEntries.remove(Durability.ASYNC_WAL);
          }
          assertThat(ofEntries)
              .as("%s, %s", index.name(), durability)
              .containsExactly(
                  durability == Durability.FSYNC_WAL
                      ? Durability.FSYNC_WAL
                      : Durability.USE_DEFAULT);
        }
      }
    }
  }

  private void record(TableName index) throws Exception {
    HookObserver.on(index)
        .each(
            Moment.PUT_DONE,
            (region, put) ->
                seen.computeIfAbsent(index, table -> ConcurrentHashMap.newKeySet())
                    .add(put.getDurability()));
  }

  private static void write(Connection connection, DeliTable table, Durability durability)
      throws Exception {
    byte[] row = Bytes.toBytes(durability.name());
    Put put = put(durability, "v");
    table.put(put);
    table.put(List.of(put, put(durability, "w")));
    table.mutateRow(RowMutations.of(List.of(put)));
    table.checkAndMutate(
        CheckAndMutate.newBuilder(row).ifNotExists(FAMILY, Bytes.toBytes("none")).build(put));
    try (BufferedMutator mutator = connection.getBufferedMutator(table.getName())) {
      mutator.mutate(List.of(put, put(durability, "w")));
    }
    // It brings back what is behind, with entries of its own.
    table.delete(new Delete(row).addColumn(FAMILY, QUALIFIER).setDurability(durability));
  }

  private static Put put(Durability durability, String value) {
    return new Put(Bytes.toBytes(durability.name()))
        .addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value))
        .setDurability(durability);
  }
}
