package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.Futures;
import io.deli.client.internal.RegionClient;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.strategy.IndexedVersion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.io.HeapSize;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Puts and Deletes of a table together with their entries, where one region server has the
 * regions of all: in one request, whose entries it writes first. Thread-safe; never blocks.
 *
 * <p>Nothing is tried twice: what was not done for any reason is for the caller to write again, the
 * entries first, by requests that HBase's client retries.
 */
public final class ColocatedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(ColocatedWrites.class);

  /** For how long no request is tried after one that failed. */
  private static final long PAUSE_MILLIS = 1_000;

  /** Finds the region of a row. */
  interface Locator {
    CompletableFuture<HRegionLocation> locate(TableName name, byte[] row);
  }

  private final AsyncTable<?> table;
  private final Locator locator;
  private final Scheduler scheduler;
  private final TableClient combining;
  private final AtomicBoolean paused = new AtomicBoolean();

  /**
   * @param table the base table, whose requests are soon given up
   */
  ColocatedWrites(
      AsyncTable<?> table, Locator locator, ServerQueue.Limits limits, Scheduler scheduler) {
    this.table = table;
    this.locator = locator;
    this.scheduler = scheduler;
    this.combining =
        new CombiningTableClient(
            this::send,
            operation -> CompletableFuture.completedFuture(((Colocated) operation).place()),
            limits,
            scheduler);
  }

  private record Placed(RegionInfo region, Mutation mutation) {}

  /** A mutation of the base table, where its region is, and its entries on the same server. */
  private record Colocated(Mutation base, HRegionLocation place, List<Placed> entries)
      implements Row, HeapSize {
    @Override
    public long heapSize() {
      return base.heapSize() + entries.stream().mapToLong(each -> each.mutation().heapSize()).sum();
    }

    @Override
    public byte[] getRow() {
      return base.getRow();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface asks for it
    public int compareTo(Row other) {
      return COMPARATOR.compare(this, other);
    }
  }

  /** Operations that may be written together with their entries. */
  final class Located {
    private final List<Integer> places;
    private final List<Colocated> operations;

    /**
     * @param places in the batch, of each operation
     */
    private Located(List<Integer> places, List<Colocated> operations) {
      this.places = places;
      this.operations = operations;
    }

    /** Completes with whether each of the batch was done, entries and all; never fails. */
    CompletableFuture<boolean[]> write() {
      return combining
          .send(operations)
          .thenApply(
              answers -> {
                boolean[] done = new boolean[answers.length];
                for (int i = 0; i < answers.length; i++) {
                  done[places.get(i)] = Boolean.TRUE.equals(answers[i]);
                }
                return done;
              });
    }
  }

  /** Locates the operations of a batch; empty if entries and rows are to be written apart. */
  Optional<Located> locate(WriteBatch batch) {
    if (paused.get() || batch.plans().stream().noneMatch(WritePlan::hasEntries)) {
      return Optional.empty();
    }
    List<Integer> places = batch.byRow(IntStream.range(0, batch.size()).boxed().toList());
    List<Colocated> operations = new ArrayList<>(places.size());
    for (int place : places) {
      Optional<Colocated> colocated = locate(batch.plans().get(place));
      if (colocated.isEmpty()) {
        return Optional.empty();
      }
      operations.add(colocated.get());
    }
    return Optional.of(new Located(places, operations));
  }

  private Optional<Colocated> locate(WritePlan plan) {
    if (!(plan.base() instanceof Put || plan.base() instanceof Delete)) {
      return Optional.empty();
    }
    Mutation base = (Mutation) plan.base();
    Optional<HRegionLocation> place =
        maySend(plan, base) ? locate(table.getName(), base.getRow()) : Optional.empty();
    List<Placed> entries = new ArrayList<>(plan.versions().size());
    for (IndexedVersion version : plan.versions()) {
      for (Put put : version.puts()) {
        Optional<HRegionLocation> entry = locate(version.index().table(), put.getRow());
        if (place.isEmpty()
            || entry.isEmpty()
            || !entry.get().getServerName().equals(place.get().getServerName())) {
          return Optional.empty();
        }
        entries.add(new Placed(entry.get().getRegion(), put));
      }
    }
    return place.map(found -> new Colocated(base, found, entries));
  }

  /** Whether nothing is to be done between entries and row, and the log is to have the row. */
  private static boolean maySend(WritePlan plan, Mutation base) {
    return plan.superseded().isEmpty()
        && base.getPriority() == HConstants.PRIORITY_UNSET
        && MaintainedIndex.isLasting(base, plan.known().descriptor().getDurability());
  }

  /** Where a row is, if that is known by now. */
  private Optional<HRegionLocation> locate(TableName name, byte[] row) {
    CompletableFuture<HRegionLocation> found = locator.locate(name, row);
    return found.isDone() && !found.isCompletedExceptionally()
        ? Optional.ofNullable(found.join()).filter(place -> place.getServerName() != null)
        : Optional.empty();
  }

  private void send(List<Call> calls) {
    Futures.onComplete(
        written(calls),
        (done, error) -> {
          if (error != null) {
            pause(error);
          }
          for (int i = 0; i < calls.size(); i++) {
            calls.get(i).answered(error == null && done[i], null);
          }
        });
  }

  private CompletableFuture<boolean[]> written(List<Call> calls) {
    Map<RegionInfo, List<Mutation>> entries = new LinkedHashMap<>();
    Map<RegionInfo, List<Mutation>> rows = new LinkedHashMap<>();
    Map<RegionInfo, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      Colocated operation = (Colocated) calls.get(i).operation();
      operation.entries().forEach(each -> add(entries, each.region(), each.mutation()));
      add(rows, operation.place().getRegion(), operation.base());
      add(places, operation.place().getRegion(), i);
    }
    try {
      return RegionClient.call(
              table,
              calls.get(0).operation().getRow(),
              RegionService.WRITE,
              ColocatedWrite.of(entries, rows).toMessage())
          .thenApply(answer -> done(ColocatedWrite.done(answer), places.values(), calls.size()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static <T> void add(Map<RegionInfo, List<T>> all, RegionInfo region, T one) {
    all.computeIfAbsent(region, any -> new ArrayList<>()).add(one);
  }

  private void pause(Throwable error) {
    LOG.debug("{}: rows are written apart from their entries", table.getName(), error);
    if (paused.compareAndSet(false, true)) {
      scheduler.after(PAUSE_MILLIS).execute(() -> paused.set(false));
    }
  }

  private static boolean[] done(
      List<BitSet> regions, Iterable<List<Integer>> placesByRegion, int operations) {
    boolean[] done = new boolean[operations];
    Iterator<BitSet> all = regions.iterator();
    for (List<Integer> places : placesByRegion) {
      BitSet ofRegion = all.hasNext() ? all.next() : new BitSet();
      for (int i = 0; i < places.size(); i++) {
        done[places.get(i)] = ofRegion.get(i);
      }
    }
    return done;
  }
}
