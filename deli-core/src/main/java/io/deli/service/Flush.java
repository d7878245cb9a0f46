package io.deli.service;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** Flushes of tables. */
public final class Flush {
  private static final String PROCEDURE = "flush-table-proc";

  private Flush() {}

  /**
   * Writes a table's memory to files, and returns when that is done, but passes over regions that
   * are being flushed already.
   *
   * <p>It is what {@link Admin#flush(TableName)} does in HBase 2.5. In 2.6 that waits for such
   * regions, but never returns if a server refuses before the master has noted its own request; the
   * table cannot be altered then until the master restarts.
   *
   * @throws IOException if the table is missing, or a server cannot flush a region
   */
  public static void table(Admin admin, TableName table) throws IOException {
    admin.execProcedure(PROCEDURE, table.getNameAsString(), Map.of());
  }
}
