package io.deli.lab.torture;

import io.deli.client.DeliAdmin;
import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.strategy.Index;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table under torture, with an index of each order. */
public final class TortureTable {
  private TortureTable() {}

  static void create(Connection connection, TableName name, TortureWorkload workload)
      throws IOException {
    byte[] middle = Bytes.toBytes(TortureWorkload.row(workload.rows() / 2));
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          judged(name, workload.graceMillis())
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(TortureWorkload.COLUMN.family())
                      .setMaxVersions(TortureWorkload.VERSIONS)
                      .build())
              .setColumnFamily(Writer.numbers())
              .build(),
          new byte[][] {middle});
    }
    DeliAdmin deli = DeliAdmin.of(connection);
    IndexDefinition byKey = IndexDefinition.on(TortureWorkload.BY_KEY, TortureWorkload.COLUMN);
    IndexDefinition byTime =
        IndexDefinition.on(TortureWorkload.BY_TIME, TortureWorkload.COLUMN)
            .withOrder(EntryOrder.BY_TIME);
    for (IndexDefinition definition : List.of(byKey, byTime)) {
      deli.createIndex(
          name,
          definition.withStrategy(workload.strategy()).withMaintenance(workload.maintenance()));
    }
    if (workload.contention().rows() > 0) {
      for (IndexDefinition definition : contended(workload)) {
        deli.createIndex(name, definition);
      }
      if (workload.maintenance() == Maintenance.SERVER) {
        // Nobody asks it: the audit compares it with what was counted.
        deli.createIndex(
            name,
            IndexDefinition.on("counted", ContendedRows.N)
                .withStrategy(workload.strategy())
                .withMaintenance(Maintenance.SERVER));
      }
    }
    if (workload.needsAnotherIndex()) {
      deli.createIndex(name, IndexDefinition.on("unused", TortureWorkload.UNUSED));
    }
  }

  /** Begins a table in which what a delete hides does not depend on compactions. */
  public static TableDescriptorBuilder judged(TableName name, long graceMillis) {
    return TableDescriptorBuilder.newBuilder(name)
        .setValue(
            "hbase.hstore.time.to.purge.deletes", Long.toString(Duration.ofDays(1).toMillis()))
        .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(graceMillis));
  }

  public static List<IndexDefinition> contended(TortureWorkload workload) {
    return contended(
        workload.strategy(), workload.maintenance(), EntryOrder.BY_KEY, EntryOrder.BY_KEY);
  }

  /** The indexes of {@link ContendedRows}, in these orders. */
  public static List<IndexDefinition> contended(
      String strategy, Maintenance maintenance, EntryOrder ofA, EntryOrder ofB) {
    return List.of(
        IndexDefinition.on(ContendedRows.BY_A, ContendedRows.A)
            .withStrategy(strategy)
            .withMaintenance(maintenance)
            .withOrder(ofA),
        IndexDefinition.on(ContendedRows.BY_B, ContendedRows.B)
            .withStrategy(strategy)
            .withMaintenance(maintenance)
            .withOrder(ofB));
  }

  /**
   * Drops a table and its index tables. Not index by index: HBase waits for minutes for a table
   * whose descriptor was changed while regions that were merged are still known.
   */
  public static void drop(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<TableName> all = new ArrayList<>(List.of(name));
      Index.allOf(admin.getDescriptor(name)).stream()
          .filter(index -> index.strategy().keepsTable())
          .forEach(index -> all.add(index.table()));
      for (TableName each : all) {
        admin.disableTable(each);
        admin.deleteTable(each);
      }
    }
  }
}
