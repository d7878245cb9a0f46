package io.deli.test.read;

import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** Runs actions at the region servers, each once, just before a table is read. */
final class ReadHooks {
  private static final Map<TableName, ReadHooks> HOOKS = new ConcurrentHashMap<>();

  private final AtomicReference<Action> get = new AtomicReference<>();
  private final AtomicReference<Action> scan = new AtomicReference<>();
  private final AtomicInteger scans = new AtomicInteger();

  /** What to do. */
  interface Action {
    void run() throws Exception;
  }

  static ReadHooks on(TableName table) throws IOException {
    ReadHooks hooks = new ReadHooks();
    HOOKS.put(table, hooks);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(Observer.class.getName())
              .build());
    }
    return hooks;
  }

  /** Ahead of the next Get. */
  void beforeGet(Action action) {
    get.set(action);
  }

  /** Ahead of a scan to come: of the next, if it is number 1. */
  void beforeScan(int number, Action action) {
    scans.set(number);
    scan.set(action);
  }

  void clear() {
    get.set(null);
    scan.set(null);
  }

  private static void run(AtomicReference<Action> hook) throws IOException {
    Action action = hook.getAndSet(null);
    if (action != null) {
      try {
        action.run();
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  /** Loaded by the tables' regions. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get read, List<Cell> cells)
        throws IOException {
      run(hooks(context).get);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan opened)
        throws IOException {
      ReadHooks hooks = hooks(context);
      if (hooks.scan.get() != null && hooks.scans.decrementAndGet() == 0) {
        run(hooks.scan);
      }
    }

    private static ReadHooks hooks(ObserverContext<RegionCoprocessorEnvironment> context) {
      return HOOKS.get(context.getEnvironment().getRegionInfo().getTable());
    }
  }
}
