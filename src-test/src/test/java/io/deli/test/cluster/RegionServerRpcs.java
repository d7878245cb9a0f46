package io.deli.test.cluster;

import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** Requests that all region servers together have got, by kind, as they count them themselves. */
public record RegionServerRpcs(long scans, long multis, long gets) {
  /** Something that costs requests. */
  public interface Action {
    void run() throws Exception;
  }

  /** What an action costs. The least of several runs, for the master reads meta in between. */
  public static RegionServerRpcs of(Action action) throws Exception {
    RegionServerRpcs least = new RegionServerRpcs(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    for (int i = 0; i < 5; i++) {
      RegionServerRpcs before = sofar();
      action.run();
      RegionServerRpcs cost = sofar().since(before);
      least =
          new RegionServerRpcs(
              Math.min(least.scans, cost.scans),
              Math.min(least.multis, cost.multis),
              Math.min(least.gets, cost.gets));
    }
    return least;
  }

  public static RegionServerRpcs sofar() {
    return new RegionServerRpcs(
        sum(MetricsRegionServerWrapper::getRpcScanRequestsCount),
        sum(MetricsRegionServerWrapper::getRpcMultiRequestsCount),
        sum(MetricsRegionServerWrapper::getRpcGetRequestsCount));
  }

  public RegionServerRpcs since(RegionServerRpcs earlier) {
    return new RegionServerRpcs(
        scans - earlier.scans, multis - earlier.multis, gets - earlier.gets);
  }

  private static long sum(ToLongFunction<MetricsRegionServerWrapper> count) {
    return MiniCluster.utility().getHBaseCluster().getLiveRegionServerThreads().stream()
        .map(RegionServerThread::getRegionServer)
        .mapToLong(server -> count.applyAsLong(server.getMetrics().getRegionServerWrapper()))
        .sum();
  }
}
