package io.deli.lab.experiment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.RetryCounter;

/** Waits for what region servers have left to do of what they were asked before. */
final class Quiet {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int POLL_MILLIS = 20;

  private Quiet() {}

  /**
   * Flushes those tables that have something in memory, and returns when none of them is compacted
   * nor in line for it.
   *
   * @param prefix of the names of the tables
   * @return false if servers were still at it after a minute
   */
  static boolean await(Connection connection, String prefix) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      // It waits for a flush that is under way, too, which is in line no more.
      for (TableName table : inMemory(regions(admin, prefix))) {
        admin.flush(table);
      }
      RetryCounter polls =
          new RetryCounter(
              (int) PATIENCE.toMillis() / POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
      while (isCompacting(regions(admin, prefix))) {
        if (!polls.shouldRetry()) {
          return false;
        }
        polls.sleepUntilNextRetry();
      }
      return true;
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("stopped waiting").initCause(e);
    }
  }

  /** As the servers see them now: what the master knows is some seconds old. */
  private static List<RegionMetrics> regions(Admin admin, String prefix) throws IOException {
    List<RegionMetrics> regions = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server)) {
        if (table(region).getNameAsString().startsWith(prefix)) {
          regions.add(region);
        }
      }
    }
    return regions;
  }

  private static TableName table(RegionMetrics region) {
    return RegionInfo.getTable(region.getRegionName());
  }

  /** A megabyte at least. */
  private static Set<TableName> inMemory(List<RegionMetrics> regions) {
    return regions.stream()
        .filter(region -> region.getMemStoreSize().get(Size.Unit.MEGABYTE) >= 1)
        .map(Quiet::table)
        .collect(Collectors.toSet());
  }

  /** A compaction counts as under way from the moment the server accepted it. */
  private static boolean isCompacting(List<RegionMetrics> regions) {
    return regions.stream().anyMatch(region -> region.getCompactionState() != CompactionState.NONE);
  }
}
