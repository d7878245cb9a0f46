package io.deli.test.model;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** What happens to tables behind their users' backs; each is over when the method returns. */
public final class Upheavals {
  private static final int PATIENCE_MILLIS = 120_000;
  private static final int POLL_MILLIS = 20;

  private final Random random;

  public Upheavals(Random random) {
    this.random = random;
  }

  private static HBaseTestingUtility cluster() {
    return MiniCluster.utility();
  }

  private static Stream<RegionServerThread> servers() {
    return cluster().getHBaseCluster().getLiveRegionServerThreads().stream();
  }

  private static List<HRegion> regions(TableName table) {
    return servers()
        .flatMap(server -> server.getRegionServer().getRegions(table).stream())
        .toList();
  }

  void flush(TableName table) throws IOException {
    for (HRegion region : regions(table)) {
      region.flush(true);
    }
  }

  public void flushOneRegion(TableName table) throws IOException {
    List<HRegion> regions = regions(table);
    regions.get(random.nextInt(regions.size())).flush(true);
  }

  /** As {@link PartialCompactions} has it. */
  public void compactSome(TableName table) throws IOException {
    for (HRegion region : regions(table)) {
      region.compact(false);
    }
  }

  /** Flushes and rewrites everything. */
  public void compactAll(TableName table) throws Exception {
    flush(table);
    for (HRegion region : regions(table)) {
      region.compact(true);
    }
  }

  /** Waits for the compactions behind a split. */
  private static void awaitWholeFiles(TableName table) throws Exception {
    cluster()
        .waitFor(
            PATIENCE_MILLIS,
            POLL_MILLIS,
            () -> stores(table).noneMatch(s -> isHalf(s) || isUnderCompaction(s)));
  }

  private static boolean isHalf(HStore store) {
    return store.getStorefiles().stream().anyMatch(HStoreFile::isReference);
  }

  private static Stream<HStore> stores(TableName table) {
    return regions(table).stream().flatMap(region -> region.getStores().stream());
  }

  private static boolean isUnderCompaction(HStore store) {
    return servers()
        .anyMatch(s -> s.getRegionServer().getCompactSplitThread().isUnderCompaction(store));
  }

  void split(TableName table, byte[] at) throws Exception {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      RegionInfo region =
          admin.getRegions(table).stream()
              .filter(each -> each.containsRow(at))
              .findFirst()
              .orElseThrow();
      if (Bytes.equals(region.getStartKey(), at)) {
        return;
      }
      MiniCluster.forgetMoves(region);
      int before = regions(table).size();
      Future<Void> split = admin.splitRegionAsync(region.getRegionName(), at);
      // The client looks for the end of a procedure only every few seconds.
      cluster().waitFor(PATIENCE_MILLIS, POLL_MILLIS, () -> regions(table).size() == before + 1);
      split.get();
    }
    awaitWholeFiles(table);
    compactAll(table);
  }

  /** Moves a region to the other server. */
  void move(TableName table) throws Exception {
    List<HRegion> regions = regions(table);
    RegionInfo region = regions.get(random.nextInt(regions.size())).getRegionInfo();
    try (Admin admin = MiniCluster.connection().getAdmin();
        RegionLocator locator = MiniCluster.connection().getRegionLocator(table)) {
      ServerName from = locator.getRegionLocation(region.getStartKey(), true).getServerName();
      admin.move(region.getEncodedNameAsBytes(), MiniCluster.otherThan(from));
    }
  }

  /** Kills a server that has a region of the table, without a flush, and starts another. */
  public void kill(TableName table) throws Exception {
    MiniHBaseCluster cluster = cluster().getHBaseCluster();
    int before = regions(table).size();
    ServerName victim =
        cluster.getServerHoldingRegion(
            table, regions(table).get(0).getRegionInfo().getRegionName());
    cluster.startRegionServerAndWait(PATIENCE_MILLIS);
    cluster.killRegionServer(victim);
    cluster.waitForRegionServerToStop(victim, PATIENCE_MILLIS);
    cluster().waitFor(PATIENCE_MILLIS, POLL_MILLIS, () -> regions(table).size() == before);
    cluster().waitUntilNoRegionsInTransition(PATIENCE_MILLIS);
  }
}
