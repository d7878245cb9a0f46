package io.deli.test.build;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Pair;

/** What befalls a table at its region servers while jobs read it, or files are loaded into it. */
final class Incidents {
  private static final Map<TableName, Incidents> ALL = new ConcurrentHashMap<>();

  private final Map<Moment, Incident> planned = new ConcurrentHashMap<>();

  /** When. */
  enum Moment {
    /** All versions of a region are about to be scanned. */
    SCAN,
    /** A region is about to load files. */
    LOAD,
    /** It has loaded them, and has not answered yet. */
    LOADED,
    /** It was asked to, and has or has not. */
    OVER
  }

  /** What. */
  @FunctionalInterface
  interface Incident {
    void befall(RegionInfo region) throws IOException;
  }

  /** Holds all who come, until they are let go. */
  static final class Hold implements Incident {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Waits until somebody is held; false if nobody comes. */
    boolean arrives() throws InterruptedException {
      return arrived.await(2, TimeUnit.MINUTES);
    }

    void release() {
      released.countDown();
    }

    @Override
    public void befall(RegionInfo region) throws IOException {
      arrived.countDown();
      try {
        if (!released.await(4, TimeUnit.MINUTES)) {
          throw new DoNotRetryIOException("nobody lets it go on");
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  /** None so far. */
  static Incidents on(TableName table) throws IOException {
    Incidents made = new Incidents();
    ALL.put(table, made);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(Observer.class.getName())
              .build());
    }
    return made;
  }

  void plan(Moment moment, Incident incident) {
    planned.put(moment, incident);
  }

  /** For those who come from now on. */
  void cancel(Moment moment) {
    planned.remove(moment);
  }

  /** Loaded by the table's regions. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    private static void befall(ObserverContext<RegionCoprocessorEnvironment> context, Moment moment)
        throws IOException {
      RegionInfo region = context.getEnvironment().getRegionInfo();
      Incident incident = ALL.get(region.getTable()).planned.get(moment);
      if (incident != null) {
        incident.befall(region);
      }
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      if (scan.isRaw()) {
        befall(context, Moment.SCAN);
      }
    }

    @Override
    public void preBulkLoadHFile(
        ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
        throws IOException {
      befall(context, Moment.LOAD);
    }

    @Override
    public void postBulkLoadHFile(
        ObserverContext<RegionCoprocessorEnvironment> context,
        List<Pair<byte[], String>> files,
        Map<byte[], List<Path>> loaded)
        throws IOException {
      befall(context, Moment.OVER);
      if (loaded != null) {
        befall(context, Moment.LOADED);
      }
    }
  }
}
