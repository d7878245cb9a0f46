package io.deli.client.internal.admin;

import io.deli.client.internal.RegionClient;
import io.deli.service.RegionService;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;

/** Reads how many dead versions the last compactions of a table's regions kept. */
record KeptVersions(Connection connection, TableName table) {

  /**
   * Asks the regions.
   *
   * @param left gets the names of those that do not answer, for what they kept is not known
   * @return how many versions, by name of region; without those that kept none
   */
  Map<String, Long> of(Set<String> left) throws IOException {
    Map<String, Long> kept = new TreeMap<>();
    try (Table regions = connection.getTable(table);
        RegionLocator locator = connection.getRegionLocator(table)) {
      for (HRegionLocation each : locator.getAllRegionLocations()) {
        String name = each.getRegion().getRegionNameAsString();
        try {
          long versions = ask(regions, each.getRegion().getStartKey());
          if (versions > 0) {
            kept.put(name, versions);
          }
        } catch (UnknownProtocolException e) {
          // Its server has an older DELI, which does not tell.
        } catch (IOException e) {
          left.add(name);
        }
      }
    }
    return kept;
  }

  private static long ask(Table table, byte[] row) throws IOException {
    return RegionService.keptVersions(
        RegionClient.call(table, row, RegionService.KEPT, RegionService.NOTHING));
  }
}
