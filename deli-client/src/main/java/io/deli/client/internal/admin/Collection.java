package io.deli.client.internal.admin;

import io.deli.client.CollectReport;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.config.GcMode;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.RetryCounter;

/** Garbage collection on request: compacts the base table, then its index tables. */
public final class Collection {
  /** A request that meets a compaction under way may be passed over, so it is made again. */
  private static final int ROUNDS = 3;

  private static final int POLL_MILLIS = 100;

  private final Connection connection;
  private final Schema schema;
  private final ProgressListener progress;

  public Collection(Connection connection, Schema schema, ProgressListener progress) {
    this.connection = connection;
    this.schema = schema;
    this.progress = progress;
  }

  public CollectReport run(TableName table) throws IOException {
    List<IndexDefinition> indexes = schema.definitions(table);
    try (Admin admin = connection.getAdmin()) {
      long start = System.nanoTime();
      admin.flush(table);
      compact(admin, table);
      if (isStaged(table)) {
        compact(admin, table);
      }
      long based = System.nanoTime();
      Map<String, Long> before = new TreeMap<>();
      Map<String, Long> after = new TreeMap<>();
      for (IndexDefinition index : indexes) {
        Optional<TableName> indexTable = IndexDefinitions.indexTable(table, index);
        if (indexTable.isPresent()) {
          admin.flush(indexTable.get());
          before.put(index.name(), bytes(admin, indexTable.get()));
          compact(admin, indexTable.get());
          after.put(index.name(), bytes(admin, indexTable.get()));
        }
      }
      return new CollectReport(
          Duration.ofNanos(based - start),
          Duration.ofNanos(System.nanoTime() - based),
          before,
          after);
    }
  }

  /**
   * Whether it takes a second compaction to drop what the first has collected. A malformed mode is
   * the default, as it is for the servers, which complain of it.
   */
  private boolean isStaged(TableName table) throws IOException {
    Configuration effective = new Configuration(connection.getConfiguration());
    String own = schema.descriptor(table).getValue(DeliSettings.GC_MODE.key());
    if (own != null) {
      effective.set(DeliSettings.GC_MODE.key(), own);
    }
    return DeliSettings.GC_MODE.get(effective, malformed -> {}) == GcMode.STAGED;
  }

  private void compact(Admin admin, TableName table) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      admin.majorCompact(table);
      awaitQuiet(admin, table);
      if (isCompact(admin, table)) {
        return;
      }
    }
  }

  /** A request counts as running from the moment the server accepted it. */
  private void awaitQuiet(Admin admin, TableName table) throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    long done = 0;
    for (RegionInfo region : regions) {
      RetryCounter poll = new RetryCounter(Integer.MAX_VALUE, POLL_MILLIS, TimeUnit.MILLISECONDS);
      while (isCompacting(admin, region)) {
        progress.progress("compacting " + table, done, regions.size());
        try {
          poll.sleepUntilNextRetry();
        } catch (InterruptedException e) {
          throw (IOException) new InterruptedIOException("stopped waiting").initCause(e);
        }
      }
      done++;
    }
    progress.progress("compacting " + table, done, regions.size());
  }

  /** A region that moves, splits or merges stops compacting for it. */
  private static boolean isCompacting(Admin admin, RegionInfo region) throws IOException {
    try {
      return admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE;
    } catch (NotServingRegionException | NoServerForRegionException | UnknownRegionException e) {
      return false;
    }
  }

  /** A region that no server has at this moment is not known to be compact. */
  private static boolean isCompact(Admin admin, TableName table) throws IOException {
    int families = admin.getDescriptor(table).getColumnFamilyCount();
    int compact = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        if (region.getStoreFileCount() > families) {
          return false;
        }
        compact++;
      }
    }
    return compact >= admin.getRegions(table).size();
  }

  /** Size of the table's store files, as its region servers have it at this moment. */
  static long bytes(Admin admin, TableName table) throws IOException {
    double bytes = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        bytes += region.getStoreFileSize().get(Size.Unit.BYTE);
      }
    }
    return (long) bytes;
  }
}
