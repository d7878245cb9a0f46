package io.deli.test.planted;

import io.deli.test.cluster.AsyncConnectionOfHBase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.security.User;

/**
 * Reads of a client that loses one row of the first scan which finds any, and none afterwards. To
 * be named by {@code hbase.client.async.connection.impl}.
 */
public final class ForgottenHit extends AsyncConnectionOfHBase {
  /** Setting that names the base table. */
  static final String BASE = "deli.test.forgotten";

  /** The tables of which a row was lost, by any connection. */
  private static final Set<TableName> DONE = ConcurrentHashMap.newKeySet();

  private final TableName base;

  /** As HBase 2.5 calls it. */
  public ForgottenHit(
      Configuration configuration, ConnectionRegistry registry, String clusterId, User user) {
    this(configuration, registry, clusterId, user, Map.of());
  }

  /** As newer HBase calls it. */
  public ForgottenHit(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    super(configuration, registry, clusterId, user, attributes);
    base = TableName.valueOf(configuration.get(BASE));
  }

  @Override
  public AsyncTable<AdvancedScanResultConsumer> getTable(TableName name) {
    AsyncTable<AdvancedScanResultConsumer> table = super.getTable(name);
    return name.equals(base) ? CredulousReads.changing(table, this::lossy) : table;
  }

  private List<Result> lossy(List<Result> rows) {
    return rows.isEmpty() || !DONE.add(base) ? rows : rows.subList(1, rows.size());
  }
}
