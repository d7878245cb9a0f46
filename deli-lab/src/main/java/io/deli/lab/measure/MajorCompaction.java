package io.deli.lab.measure;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.RetryCounter;

/** A major compaction of a table. */
public final class MajorCompaction {
  private static final int POLL_MILLIS = 5;

  private MajorCompaction() {}

  /** Compacts all regions and returns the seconds that it took. */
  public static double seconds(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(table);
      long start = System.nanoTime();
      admin.majorCompact(table);
      for (RegionInfo region : regions) {
        RetryCounter poll = new RetryCounter(Integer.MAX_VALUE, POLL_MILLIS, TimeUnit.MILLISECONDS);
        while (admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE) {
          poll.sleepUntilNextRetry();
        }
      }
      return (System.nanoTime() - start) / 1e9;
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("benchmark interrupted").initCause(e);
    }
  }
}
