package io.deli.test.cluster;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Has actions of a test happen at the servers of {@link MiniCluster}, in the midst of what the
 * regions of a table do: at most one for each moment.
 */
public final class HookObserver {
  private static final Map<TableName, HookObserver> ALL = new ConcurrentHashMap<>();

  private final Map<Moment<?>, Action<?>> actions = new ConcurrentHashMap<>();

  private HookObserver() {}

  /**
   * A moment in the work of a region.
   *
   * @param <T> what the region has in hand then
   */
  @SuppressWarnings("UnusedTypeParameter") // it ties an action to what it gets
  public static final class Moment<T> {
    /** Ahead of a Get. */
    public static final Moment<Get> GET = new Moment<>();

    /** Ahead of a call of an endpoint, with the method's name. */
    public static final Moment<String> CALL = new Moment<>();

    /** Ahead of a scan's read point. */
    public static final Moment<Scan> SCAN = new Moment<>();

    /** Behind a scan's read point, and ahead of its store's scanner. */
    public static final Moment<Scan> STORE_SCAN = new Moment<>();

    /** With the rows that a scan's request is answered by. */
    public static final Moment<List<Result>> SCANNED = new Moment<>();

    /** Ahead of a Put. */
    public static final Moment<Put> PUT = new Moment<>();

    /** Behind a Put. */
    public static final Moment<Put> PUT_DONE = new Moment<>();

    /** Ahead of a Delete. */
    public static final Moment<Delete> DELETE = new Moment<>();

    /** Behind a Delete. */
    public static final Moment<Delete> DELETE_DONE = new Moment<>();

    /** When the rows of a batch are locked. */
    public static final Moment<MiniBatchOperationInProgress<Mutation>> LOCKED = new Moment<>();

    /** Behind a conditional mutation, ahead of its answer. */
    public static final Moment<CheckAndMutateResult> CONDITIONAL_DONE = new Moment<>();

    /** Ahead of loading files. */
    public static final Moment<List<Pair<byte[], String>>> LOAD = new Moment<>();

    /** Behind it, ahead of the answer. */
    public static final Moment<Map<byte[], List<Path>>> LOADED = new Moment<>();

    /** Behind it, whether they are loaded or not. */
    public static final Moment<List<Pair<byte[], String>>> LOAD_OVER = new Moment<>();

    /** When a loaded file is where HBase takes it from, with its family. */
    public static final Moment<byte[]> FILE = new Moment<>();

    /** When HBase has taken it. */
    public static final Moment<byte[]> FILE_TAKEN = new Moment<>();

    /** Ahead of a flush, or of passing over the request for one. */
    public static final Moment<FlushLifeCycleTracker> FLUSH_ASKED = new Moment<>();

    /** While it is being flushed. */
    public static final Moment<Store> FLUSH = new Moment<>();

    /** While it is being compacted. */
    public static final Moment<Store> COMPACTION = new Moment<>();

    private Moment() {}
  }

  /** An action of a test. */
  @FunctionalInterface
  public interface Action<T> {
    void run(HRegion region, T inHand) throws Exception;
  }

  /** Returns a table's hooks, with no action; earlier ones of the table are no longer called. */
  public static HookObserver on(TableName table) throws IOException {
    return on(table, Coprocessor.PRIORITY_USER);
  }

  /**
   * The same.
   *
   * @param priority by which HBase calls it ahead of DELI's observer or behind it
   */
  public static HookObserver on(TableName table, int priority) throws IOException {
    HookObserver hooks = new HookObserver();
    if (ALL.put(table, hooks) == null) {
      TestTable.alter(
          table,
          descriptor ->
              descriptor.setCoprocessor(
                  CoprocessorDescriptorBuilder.newBuilder(Loaded.class.getName())
                      .setPriority(priority)
                      .build()));
    }
    return hooks;
  }

  /** Has it happen each time from now on. */
  public <T> HookObserver each(Moment<T> moment, Action<? super T> action) {
    actions.put(moment, action);
    return this;
  }

  /** Has it happen each time that the region has something such in hand. */
  public <T> HookObserver each(
      Moment<T> moment, Predicate<? super T> such, Action<? super T> action) {
    return each(
        moment,
        (region, inHand) -> {
          if (such.test(inHand)) {
            action.run(region, inHand);
          }
        });
  }

  /** Has it happen the next time. */
  public <T> void once(Moment<T> moment, Action<? super T> action) {
    at(1, moment, inHand -> true, action);
  }

  /**
   * Has it happen once.
   *
   * @param number of those to come that are such as the next parameter says; the first has 1
   */
  public <T> void at(
      int number, Moment<T> moment, Predicate<? super T> such, Action<? super T> action) {
    AtomicInteger left = new AtomicInteger(number);
    each(
        moment,
        inHand -> such.test(inHand) && left.decrementAndGet() == 0,
        (region, inHand) -> {
          cancel(moment);
          action.run(region, inHand);
        });
  }

  /** Whether something is to happen yet. */
  public boolean isPlanned(Moment<?> moment) {
    return actions.containsKey(moment);
  }

  /** For those who come from now on. */
  public void cancel(Moment<?> moment) {
    actions.remove(moment);
  }

  /** The same for each moment. */
  public void clear() {
    actions.clear();
  }

  /** Loaded by the table's regions. */
  public static final class Loaded implements TestObserver, EndpointObserver {
    @Override
    public Optional<EndpointObserver> getEndpointObserver() {
      return Optional.of(this);
    }

    private static <T> void run(
        ObserverContext<RegionCoprocessorEnvironment> context, Moment<T> moment, T inHand)
        throws IOException {
      HRegion region = (HRegion) context.getEnvironment().getRegion();
      HookObserver hooks = ALL.get(region.getRegionInfo().getTable());
      // What is put under a moment is for what it has in hand.
      @SuppressWarnings("unchecked")
      Action<? super T> action =
          hooks == null ? null : (Action<? super T>) hooks.actions.get(moment);
      if (action != null) {
        try {
          action.run(region, inHand);
        } catch (IOException e) {
          throw e;
        } catch (Exception e) {
          throw new IOException(e);
        }
      }
    }

    @Override
    public Message preEndpointInvocation(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Service service,
        String method,
        Message request)
        throws IOException {
      run(context, Moment.CALL, method);
      return request;
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells)
        throws IOException {
      run(context, Moment.GET, get);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      run(context, Moment.SCAN, scan);
    }

    @Override
    public void preStoreScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options)
        throws IOException {
      run(context, Moment.STORE_SCAN, options.getScan());
    }

    @Override
    public boolean postScannerNext(
        ObserverContext<RegionCoprocessorEnvironment> context,
        InternalScanner scanner,
        List<Result> rows,
        int limit,
        boolean hasNext)
        throws IOException {
      run(context, Moment.SCANNED, rows);
      return hasNext;
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
        throws IOException {
      run(context, Moment.PUT, put);
    }

    @Override
    public void postPut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
        throws IOException {
      run(context, Moment.PUT_DONE, put);
    }

    @Override
    public void preDelete(
        ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
        throws IOException {
      run(context, Moment.DELETE, delete);
    }

    @Override
    public void postDelete(
        ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
        throws IOException {
      run(context, Moment.DELETE_DONE, delete);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch)
        throws IOException {
      run(context, Moment.LOCKED, batch);
    }

    @Override
    public CheckAndMutateResult postCheckAndMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        CheckAndMutate conditional,
        CheckAndMutateResult result)
        throws IOException {
      run(context, Moment.CONDITIONAL_DONE, result);
      return result;
    }

    @Override
    public void preFlush(
        ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker)
        throws IOException {
      run(context, Moment.FLUSH_ASKED, tracker);
    }

    @Override
    public InternalScanner preFlush(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        FlushLifeCycleTracker tracker)
        throws IOException {
      run(context, Moment.FLUSH, store);
      return scanner;
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType type,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request)
        throws IOException {
      run(context, Moment.COMPACTION, store);
      return scanner;
    }

    @Override
    public void preBulkLoadHFile(
        ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
        throws IOException {
      run(context, Moment.LOAD, files);
    }

    @Override
    public void postBulkLoadHFile(
        ObserverContext<RegionCoprocessorEnvironment> context,
        List<Pair<byte[], String>> files,
        Map<byte[], List<Path>> loaded)
        throws IOException {
      run(context, Moment.LOAD_OVER, files);
      if (loaded != null) {
        run(context, Moment.LOADED, loaded);
      }
    }

    @Override
    public void preCommitStoreFile(
        ObserverContext<RegionCoprocessorEnvironment> context,
        byte[] family,
        List<Pair<Path, Path>> files)
        throws IOException {
      run(context, Moment.FILE, family);
    }

    @Override
    public void postCommitStoreFile(
        ObserverContext<RegionCoprocessorEnvironment> context, byte[] family, Path from, Path to)
        throws IOException {
      run(context, Moment.FILE_TAKEN, family);
    }
  }
}
