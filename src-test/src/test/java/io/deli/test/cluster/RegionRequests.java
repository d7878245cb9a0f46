package io.deli.test.cluster;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Operations that the regions of a table have got. */
public record RegionRequests(long writes, long reads) {
  public static RegionRequests of(TableName table) {
    long writes = 0;
    long reads = 0;
    for (HRegion region : MiniCluster.regions(table)) {
      writes += region.getWriteRequestsCount();
      reads += region.getReadRequestsCount();
    }
    return new RegionRequests(writes, reads);
  }

  /** What came after those. */
  public RegionRequests since(RegionRequests earlier) {
    return new RegionRequests(writes - earlier.writes, reads - earlier.reads);
  }
}
