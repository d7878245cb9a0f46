package io.deli.tools.advise;

import io.deli.client.ProgressListener;
import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.service.PrimaryRegions;
import io.deli.tools.Failure;
import io.deli.tools.advise.Sample.Stretch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Measures a table and one of its columns. Reads a sample of the rows only. */
public record Survey(Connection connection, TableDescriptor table, Column column, ValueType type) {
  /**
   * Returns the facts, by a sample of about so many rows.
   *
   * @throws Failure if no row in the sample has the column, or a value is not of its type
   */
  public SampledFacts run(int rows, Facts.Wants wants, ProgressListener progress)
      throws IOException {
    TableName name = table.getTableName();
    try (Table rowsOf = connection.getTable(name)) {
      List<HRegionLocation> regions = PrimaryRegions.locations(connection, name);
      // Before the sample is read, which would count.
      List<RegionMetrics> metrics = metrics(regions);
      Sample sample =
          new Sampler(rowsOf, column, type, rows, progress)
              .take(regions.stream().map(HRegionLocation::getRegion).toList());
      if (sample.values() == 0) {
        throw Failure.of(
            "column %s of table %s has no value in a sample of %d rows: check its name, or raise --sample"
                .formatted(column, name, sample.rows()));
      }
      Facts.Table all = facts(regions, metrics, sample);
      return SampledFacts.of(
          sample, part -> new Facts(all, ColumnFacts.of(part), wants), new Random());
    }
  }

  private List<RegionMetrics> metrics(List<HRegionLocation> regions) throws IOException {
    List<RegionMetrics> metrics = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : servers(regions)) {
        metrics.addAll(PrimaryRegions.metrics(admin, server, table.getTableName()));
      }
    }
    return metrics;
  }

  /** A region that moves at this moment has none. */
  private static Set<ServerName> servers(List<HRegionLocation> regions) {
    return regions.stream()
        .map(HRegionLocation::getServerName)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  private Facts.Table facts(
      List<HRegionLocation> regions, List<RegionMetrics> metrics, Sample sample) {
    ColumnFamilyDescriptor family = table.getColumnFamily(column.family());
    double files = metrics.stream().mapToInt(RegionMetrics::getStoreFileCount).sum();
    double stores = metrics.stream().mapToInt(RegionMetrics::getStoreCount).sum();
    return new Facts.Table(
        rows(metrics, sample),
        sample.whole(),
        (double) sample.sum(Stretch::familyBytes) / sample.rows(),
        regions.size(),
        servers(regions).size(),
        files / Math.max(1, stores),
        family.getBlocksize(),
        family.getMaxVersions(),
        metrics.stream().mapToLong(RegionMetrics::getReadRequestCount).sum(),
        metrics.stream().mapToLong(RegionMetrics::getWriteRequestCount).sum());
  }

  /** Servers tell sizes in whole megabytes; of small tables the sample knows better. */
  private static long rows(List<RegionMetrics> metrics, Sample sample) {
    double bytes =
        metrics.stream()
            .mapToDouble(
                region ->
                    region.getUncompressedStoreFileSize().get(Size.Unit.BYTE)
                        + region.getMemStoreSize().get(Size.Unit.BYTE))
            .sum();
    return sample.whole()
        ? sample.rows()
        : Math.max(sample.rows(), (long) (bytes * sample.rows() / sample.sum(Stretch::bytes)));
  }
}
