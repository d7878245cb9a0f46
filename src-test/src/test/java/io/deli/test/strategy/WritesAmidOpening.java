package io.deli.test.strategy;

import io.deli.service.TokenScan;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.Store;

/** Writes to a region while it opens a scan by value, at the server, behind DELI's own hook. */
final class WritesAmidOpening {
  private static final Map<TableName, WritesAmidOpening> PENDING = new ConcurrentHashMap<>();

  /** When they are made. */
  enum Moment {
    AHEAD_OF_THE_READ_POINT,
    BEHIND_THE_READ_POINT
  }

  /** What is written. */
  interface Writes {
    void make(HRegion region) throws IOException;
  }

  private final Moment moment;
  private final Writes writes;

  private WritesAmidOpening(Moment moment, Writes writes) {
    this.moment = moment;
    this.writes = writes;
  }

  /** Lets the regions of a table do so. */
  static void attach(TableName table) throws IOException {
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(
                  CoprocessorDescriptorBuilder.newBuilder(Observer.class.getName())
                      .setPriority(Coprocessor.PRIORITY_LOWEST)
                      .build())
              .build());
    }
  }

  /** Has them made for the next scan, once. */
  static void plan(TableName table, Moment moment, Writes writes) {
    PENDING.put(table, new WritesAmidOpening(moment, writes));
  }

  /** Whether there are some that no scan has met. */
  static boolean arePlanned(TableName table) {
    return PENDING.containsKey(table);
  }

  private static void make(RegionCoprocessorEnvironment env, Scan scan, Moment now)
      throws IOException {
    TableName table = env.getRegionInfo().getTable();
    WritesAmidOpening planned = PENDING.get(table);
    if (planned != null && planned.moment == now && TokenScan.of(scan).isPresent()) {
      PENDING.remove(table);
      planned.writes.make((HRegion) env.getRegion());
    }
  }

  /** Loaded by the table's regions. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      make(context.getEnvironment(), scan, Moment.AHEAD_OF_THE_READ_POINT);
    }

    @Override
    public void preStoreScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options)
        throws IOException {
      make(context.getEnvironment(), options.getScan(), Moment.BEHIND_THE_READ_POINT);
    }
  }
}
