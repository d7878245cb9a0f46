package io.deli.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** The regions of a table without their replicas, which have the same rows and files. */
public final class PrimaryRegions {
  private PrimaryRegions() {}

  /** Returns all of them; one without a server has a location whose server is null. */
  public static List<HRegionLocation> locations(Connection connection, TableName table)
      throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return among(locator.getAllRegionLocations());
    }
  }

  /** Returns their locations among those that HBase tells. */
  public static List<HRegionLocation> among(List<HRegionLocation> all) {
    return all.stream()
        // A replica without a server has no location.
        .filter(Objects::nonNull)
        .filter(location -> RegionReplicaUtil.isDefaultReplica(location.getRegion()))
        .toList();
  }

  /**
   * Returns their first rows, in order. HBase's own locator fails at a replica without a server.
   */
  public static byte[][] startKeys(Connection connection, TableName table) throws IOException {
    return locations(connection, table).stream()
        .map(location -> location.getRegion().getStartKey())
        .toArray(byte[][]::new);
  }

  /** Returns what a server tells of those that it has. */
  public static List<RegionMetrics> metrics(Admin admin, ServerName server, TableName table)
      throws IOException {
    List<RegionMetrics> primary = new ArrayList<>();
    for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
      if (RegionReplicaUtil.isDefaultReplica(
          MetaTableAccessor.parseRegionInfoFromRegionName(region.getRegionName()))) {
        primary.add(region);
      }
    }
    return primary;
  }
}
