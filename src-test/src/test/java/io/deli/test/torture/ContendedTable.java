package io.deli.test.torture;

import io.deli.client.DeliAdmin;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.ContendedRows;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Tables for {@link ContentionRun}s. */
public final class ContendedTable {
  private ContendedTable() {}

  /** A table without indexes. */
  public static TableName plain(String stem) throws IOException {
    TableName name = MiniCluster.uniqueTable(stem);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(ContendedRows.A.family())
                      .setMaxVersions(ContentionRun.VERSIONS)
                      .build())
              .build());
    }
    return name;
  }

  /** A table with an index on each of both columns. */
  static TableName indexed(String stem, String strategy) throws IOException {
    TableName name = plain(stem);
    DeliAdmin deli = DeliAdmin.of(MiniCluster.connection());
    deli.createIndex(name, byA(strategy));
    deli.createIndex(
        name, IndexDefinition.on(ContendedRows.BY_B, ContendedRows.B).withStrategy(strategy));
    return name;
  }

  static IndexDefinition byA(String strategy) {
    return IndexDefinition.on(ContendedRows.BY_A, ContendedRows.A).withStrategy(strategy);
  }
}
