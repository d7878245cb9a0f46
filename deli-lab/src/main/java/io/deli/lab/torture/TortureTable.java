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
import java.util.stream.Stream;
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
    List<IndexDefinition> definitions = new ArrayList<>();
    definitions.add(workload.index(TortureWorkload.BY_KEY, TortureWorkload.COLUMN));
    definitions.add(
        workload
            .index(TortureWorkload.BY_TIME, TortureWorkload.COLUMN)
            .withOrder(EntryOrder.BY_TIME));
    if (workload.contention().rows() > 0) {
      definitions.addAll(contended(workload));
      if (workload.maintenance() == Maintenance.SERVER) {
        // Nobody asks it: the audit compares it with what was counted.
        definitions.add(workload.index("counted", ContendedRows.N));
      }
    }
    if (workload.needsAnotherIndex()) {
      definitions.add(IndexDefinition.on("unused", TortureWorkload.UNUSED));
    }
    for (IndexDefinition definition : definitions) {
      deli.createIndex(name, definition);
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
    return Stream.of(
            IndexDefinition.on(ContendedRows.BY_A, ContendedRows.A).withOrder(ofA),
            IndexDefinition.on(ContendedRows.BY_B, ContendedRows.B).withOrder(ofB))
        .map(each -> each.withStrategy(strategy).withMaintenance(maintenance))
        .toList();
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
