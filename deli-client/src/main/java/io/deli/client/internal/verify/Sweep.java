package io.deli.client.internal.verify;

import com.google.protobuf.Message;
import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import io.deli.client.internal.RateLimiter;
import io.deli.client.internal.RegionClient;
import io.deli.client.internal.TaskQueue;
import io.deli.entry.Entry;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import io.deli.strategy.MergeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Sweeps an index: the regions of the base table check the entries that have no visible version, or
 * share one, and delete those that no version justifies and no compaction knows.
 *
 * <p>Entries are read in order, a window at a time, and most are found to have their version by one
 * scan for many rows; a region opens a scanner for each that it is asked for. Those of one version
 * come to a region together, for it leaves one of them. May be ended and repeated at any time.
 */
public final class Sweep implements AutoCloseable {
  /** Regions that are asked at a time. */
  private static final int THREADS = 8;

  /** Windows that are looked into at a time. */
  private static final int WINDOWS = 4;

  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** A cell of lists may hold many entries. */
  private static final int CELLS = 16;

  /** Entries that regions are asked for at a time. */
  private static final int PAGE = 1_000;

  private static final Comparator<Entry> NEWEST_FIRST =
      Comparator.comparingLong(Entry::timestamp)
          .reversed()
          .thenComparing(Entry::key, Bytes.BYTES_COMPARATOR);

  private final Table base;
  private final RegionLocator regions;
  private final IndexTableReader entries;
  private final BaseTableReader versions;
  private final Index index;
  private final int most;
  private final RateLimiter limiter;
  private final ProgressListener progress;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final TaskQueue tasks = new TaskQueue(WINDOWS);

  private List<Entry> window = new ArrayList<>();
  private long bytes;
  private long swept;

  /**
   * @param perSecond entries to look into in a second at most; 0 for no limit
   */
  public Sweep(Connection connection, Index index, int perSecond, ProgressListener progress)
      throws IOException {
    this.base = connection.getTable(index.baseTable());
    this.regions = connection.getRegionLocator(index.baseTable());
    this.entries = new IndexTableReader(connection, index);
    this.versions = new BaseTableReader(connection, index);
    this.index = index;
    this.limiter = new RateLimiter(perSecond);
    this.most = perSecond == 0 ? Pass.WINDOW : limiter.pageSize();
    this.progress = progress;
  }

  /** Sweeps; returns how many entries were looked into. */
  public long run() throws IOException {
    versions.requireFamilies(base.getDescriptor());
    Scan scan = new Scan().readAllVersions().setCacheBlocks(false);
    if (isOfLists()) {
      scan.setBatch(CELLS);
    }
    try (Table table = entries.open();
        ResultScanner rows = table.getScanner(scan)) {
      byte[] row = new byte[0];
      List<Entry> open = new ArrayList<>();
      for (Result piece = rows.next(); piece != null; piece = rows.next()) {
        if (!Bytes.equals(row, piece.getRow())) {
          take(open, open.size());
          row = piece.getRow();
        }
        open.addAll(entries.read(piece).entries());
        open.sort(NEWEST_FIRST);
        take(open, isOfLists() ? certain(open, piece) : open.size());
      }
      take(open, open.size());
      sweep();
      tasks.settleAll(this::report);
    }
    return swept;
  }

  private boolean isOfLists() {
    return index.strategy().mergeTime() != MergeTime.NEVER;
  }

  /** Counts the entries that sort before everything that later cells can hold. */
  private int certain(List<Entry> open, Result piece) {
    Cell last = piece.rawCells()[piece.size() - 1];
    List<Entry> ofLast = entries.read(Result.create(List.of(last))).entries();
    return ofLast.isEmpty()
        ? 0
        : (int)
            open.stream()
                .takeWhile(entry -> NEWEST_FIRST.compare(entry, ofLast.get(0)) < 0)
                .count();
  }

  private void take(List<Entry> open, int count) throws IOException {
    List<Entry> some = open.subList(0, count);
    for (Entry entry : some) {
      window.add(entry);
      bytes += entry.token().length + entry.key().length;
    }
    some.clear();
    if (window.size() >= most || bytes >= Pass.WINDOW_BYTES) {
      sweep();
    }
  }

  /** Has the window looked into, and begins another one. */
  private void sweep() throws IOException {
    List<Entry> full = window;
    window = new ArrayList<>();
    bytes = 0;
    tasks.submit(
        () -> sweep(full),
        () -> {
          swept += full.size();
          report();
        });
    limiter.acquire(full.size());
    tasks.settle(this::report);
  }

  private void report() {
    progress.progress("entries of index " + index.name() + " swept", swept, 0);
  }

  private void sweep(List<Entry> full) throws IOException {
    List<Entry> page = new ArrayList<>();
    for (List<Entry> same : suspects(full)) {
      page.addAll(same);
      if (page.size() >= PAGE) {
        ask(page);
        page.clear();
      }
    }
    ask(page);
  }

  /** Returns the entries that may have to go, those of one version together. */
  private Collection<List<Entry>> suspects(List<Entry> full) throws IOException {
    Map<Entry, List<Entry>> ofVersion = new LinkedHashMap<>();
    for (Entry entry : full) {
      ofVersion.computeIfAbsent(entry.withoutId(), anonymous -> new ArrayList<>(1)).add(entry);
    }
    Set<Entry> unjustified =
        new HashSet<>(
            versions.unjustified(
                ofVersion.values().stream()
                    .filter(same -> same.size() == 1)
                    .map(same -> same.get(0))
                    .toList()));
    ofVersion.values().removeIf(same -> same.size() == 1 && !unjustified.contains(same.get(0)));
    return ofVersion.values();
  }

  private void ask(List<Entry> page) throws IOException {
    List<Entry> left = page;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      if (attempt > ATTEMPTS) {
        throw new IOException(
            "%d entries of index '%s' were not swept: regions of table %s keep moving or splitting, or are too busy to examine them in time. Try again."
                .formatted(left.size(), index.name(), index.baseTable()));
      }
      if (attempt > 1) {
        Futures.sleep(PAUSE);
      }
      left = missedOf(left, attempt > 1);
    }
  }

  private List<Entry> missedOf(List<Entry> all, boolean reload) throws IOException {
    Map<byte[], List<Entry>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Entry entry : all) {
      byte[] start = regions.getRegionLocation(entry.key(), reload).getRegion().getStartKey();
      byRegion.computeIfAbsent(start, region -> new ArrayList<>()).add(entry);
    }
    List<CompletableFuture<List<Entry>>> answers =
        byRegion.values().stream()
            .map(some -> CompletableFuture.supplyAsync(() -> askRegion(some), threads))
            .toList();
    List<Entry> missed = new ArrayList<>();
    for (CompletableFuture<List<Entry>> answer : answers) {
      missed.addAll(Futures.await(answer));
    }
    return missed;
  }

  /** Returns those that are of another region by now, or were not examined in time. */
  private List<Entry> askRegion(List<Entry> some) {
    RegionService.Entries request =
        new RegionService.Entries(index.name(), index.definition().generation(), some);
    try {
      Message answer =
          RegionClient.call(base, some.get(0).key(), RegionService.SWEEP, request.toMessage());
      return RegionService.positions(answer).stream().map(some::get).toList();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  @Override
  public void close() throws IOException {
    tasks.close();
    threads.shutdownNow();
    base.close();
    regions.close();
  }
}
