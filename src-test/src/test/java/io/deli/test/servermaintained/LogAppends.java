package io.deli.test.servermaintained;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Counts what the region servers append to their logs; HBase appends a batch as one. */
final class LogAppends implements WALActionsListener, AutoCloseable {
  private final Map<TableName, Integer> appends = new ConcurrentHashMap<>();
  private final List<WAL> logs = new ArrayList<>();

  /** Counts from now on. */
  LogAppends() throws IOException {
    for (RegionServerThread server :
        MiniCluster.utility().getHBaseCluster().getLiveRegionServerThreads()) {
      logs.addAll(server.getRegionServer().getWALs());
    }
    logs.forEach(log -> log.registerWALActionsListener(this));
  }

  /** Before the writer hears of it. */
  @Override
  public void postAppend(long length, long millis, WALKey key, WALEdit edit) {
    if (!edit.isMetaEdit()) {
      appends.merge(key.getTableName(), 1, Integer::sum);
    }
  }

  /** Those for a table since this was last asked. */
  int take(TableName table) {
    Integer taken = appends.remove(table);
    return taken == null ? 0 : taken;
  }

  @Override
  public void close() {
    logs.forEach(log -> log.unregisterWALActionsListener(this));
  }
}
