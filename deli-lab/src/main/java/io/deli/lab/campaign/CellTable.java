package io.deli.lab.campaign;

import io.deli.client.DeliAdmin;
import io.deli.index.IndexDefinition;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.TortureTable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;

/** The table of a cell, and what its clients must know of it. */
final class CellTable {
  static final int VERSIONS = 3;

  /** Client processes. */
  static final int CLIENTS = 3;

  /** Rows of each kind. */
  static final int HOT = 2;

  /** Rows besides. */
  static final int WIDE = 40_000;

  /** Of all rows. */
  static final int PLACES = HOT * ContendedRows.Kind.values().length + WIDE;

  /** Of read repair. */
  static final long GRACE_MILLIS = 20_000;

  /** Whom a client is, if users need permissions. */
  static final String USER = "campaign_client";

  private static final int REGIONS = 4;
  private static final int BLOCK_BYTES = 4 << 10;

  private CellTable() {}

  static void create(Connection connection, TableName name, Cell cell) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(ContendedRows.key(PLACES * i / REGIONS));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TortureTable.judged(name, GRACE_MILLIS)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(ContendedRows.A.family())
                      .setMaxVersions(VERSIONS)
                      // Gets by the dozen in many small files are what costs the most.
                      .setBlocksize(BLOCK_BYTES)
                      .build())
              .build(),
          splits);
    }
    if (cell.secured()) {
      // Before there are indexes, whose tables get the same.
      Permission permission =
          Permission.newBuilder(name)
              .withActions(Permission.Action.READ, Permission.Action.WRITE, Permission.Action.EXEC)
              .build();
      try (Admin admin = connection.getAdmin()) {
        admin.grant(new UserPermission(USER, permission), false);
      }
    }
    DeliAdmin deli = DeliAdmin.of(connection);
    for (IndexDefinition definition : cell.definitions()) {
      deli.createIndex(name, definition);
    }
  }
}
