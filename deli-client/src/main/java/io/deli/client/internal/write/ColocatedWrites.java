package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.RegionClient;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.strategy.IndexedVersion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Puts to a table together with their entries, where one region server has the regions of
 * all: in one request, whose entries it writes first. Thread-safe; never blocks.
 *
 * <p>What was not done, for any reason, is for the caller to write again, the entries first, by
 * requests that HBase's client retries and whose errors count. None is tried for a while after one
 * that came to nothing: a server may be too old, or full, or refuse one entry among many.
 */
public final class ColocatedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(ColocatedWrites.class);

  /** For how long no request is tried after one that came to nothing. */
  private static final long PAUSE_MILLIS = 1_000;

  /** Entries of a row up to which it is written so: HBase's limit counts all Puts of a request. */
  private static final int FEW = 4;

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
   * @param table the base table; HBase's client repeats its requests until their time is up
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

  private record Entry(RegionInfo region, Put put) {}

  /** A Put to the base table, where its region is, and its entries on the same server. */
  private record Colocated(Put base, HRegionLocation place, List<Entry> entries)
      implements Row, HeapSize {
    @Override
    public long heapSize() {
      return base.heapSize() + entries.stream().mapToLong(each -> each.put().heapSize()).sum();
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
    Locations locations = new Locations();
    for (int place : places) {
      Optional<Colocated> colocated = locate(batch.plans().get(place), locations);
      if (colocated.isEmpty()) {
        return Optional.empty();
      }
      operations.add(colocated.get());
    }
    return Optional.of(new Located(places, operations));
  }

  private Optional<Colocated> locate(WritePlan plan, Locations locations) {
    if (!(plan.base() instanceof Put base) || !maySend(plan, base)) {
      return Optional.empty();
    }
    Optional<HRegionLocation> place = locations.of(table.getName(), base.getRow());
    List<Entry> entries = new ArrayList<>(FEW);
    for (IndexedVersion version : plan.versions()) {
      for (Put put : version.puts()) {
        Optional<HRegionLocation> entry = locations.of(version.index().table(), put.getRow());
        if (entries.size() == FEW
            || place.isEmpty()
            || entry.isEmpty()
            || !entry.get().getServerName().equals(place.get().getServerName())) {
          return Optional.empty();
        }
        entries.add(new Entry(entry.get().getRegion(), put));
      }
    }
    return place.map(found -> new Colocated(base, found, entries));
  }

  /** Whether nothing is to be done between entries and row, and the log is to have the row. */
  private static boolean maySend(WritePlan plan, Put base) {
    return plan.superseded().isEmpty()
        && base.getPriority() == HConstants.PRIORITY_UNSET
        && MaintainedIndex.isLasting(base, plan.known().descriptor().getDurability());
  }

  /** The places of a batch's rows and entries, of each region one: so a row's Puts are of one. */
  private final class Locations {
    private final Map<TableName, NavigableMap<byte[], HRegionLocation>> found = new HashMap<>(4);

    /** Returns the location of a row, if it is known by now. */
    Optional<HRegionLocation> of(TableName name, byte[] row) {
      NavigableMap<byte[], HRegionLocation> regions =
          found.computeIfAbsent(name, any -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
      Map.Entry<byte[], HRegionLocation> before = regions.floorEntry(row);
      if (before != null && before.getValue().getRegion().containsRow(row)) {
        return Optional.of(before.getValue());
      }
      CompletableFuture<HRegionLocation> asked = locator.locate(name, row);
      Optional<HRegionLocation> place =
          asked.isDone() && !asked.isCompletedExceptionally()
              ? Optional.ofNullable(asked.join()).filter(each -> each.getServerName() != null)
              : Optional.empty();
      place.ifPresent(each -> regions.put(each.getRegion().getStartKey(), each));
      return place;
    }
  }

  private void send(List<Call> calls) {
    Map<RegionInfo, List<Put>> entries = new LinkedHashMap<>();
    Map<RegionInfo, List<Call>> byRegion = new LinkedHashMap<>();
    for (Call call : calls) {
      Colocated operation = (Colocated) call.operation();
      operation.entries().forEach(each -> add(entries, each.region(), each.put()));
      add(byRegion, operation.place().getRegion(), call);
    }
    FutureUtils.addListener(
        written(entries, byRegion),
        (done, error) -> {
          int place = 0;
          for (List<Call> region : byRegion.values()) {
            for (Call call : region) {
              call.answered(error == null && done.get(place++), null);
            }
          }
          if (error != null || done.isEmpty()) {
            pause(error);
          }
        });
  }

  private CompletableFuture<BitSet> written(
      Map<RegionInfo, List<Put>> entries, Map<RegionInfo, List<Call>> byRegion) {
    Map<RegionInfo, List<Put>> rows = new LinkedHashMap<>();
    byRegion.forEach(
        (region, calls) ->
            calls.forEach(call -> add(rows, region, ((Colocated) call.operation()).base())));
    byte[] row = rows.values().iterator().next().get(0).getRow();
    try {
      return RegionClient.call(
              table, row, RegionService.WRITE, ColocatedWrite.of(entries, rows).toMessage())
          .thenApply(ColocatedWrite::done);
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
}
