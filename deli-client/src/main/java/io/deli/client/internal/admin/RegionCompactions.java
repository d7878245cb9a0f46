package io.deli.client.internal.admin;

import com.google.protobuf.Message;
import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import io.deli.client.internal.RegionClient;
import io.deli.service.PrimaryRegions;
import io.deli.service.RegionService;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ExceptionUtil;

/**
 * Flushes and major-compacts the regions of a table, a few on each server at a time, so that other
 * compactions need not wait for the whole table.
 */
record RegionCompactions(Admin admin, TableName table, int perServer, ProgressListener progress) {
  /** A request that meets a compaction under way may be passed over, so it is made again. */
  private static final int ROUNDS = 3;

  /** Waits for regions in transition. */
  private static final int WAITS = 10;

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final String ENGINE = "hbase.hstore.engine.class";

  /**
   * Between two looks at what compacts: twice as long each time, for a small region is done soon.
   */
  private static final long LEAST_MILLIS = 10;

  private static final long MOST_MILLIS = 100;

  /** A region, as its server tells of it. */
  record Region(ServerName server, RegionMetrics metrics) {
    byte[] name() {
      return metrics.getRegionName();
    }
  }

  /**
   * A run.
   *
   * @param told whether the regions' files tell that they were compacted
   * @param before the times, by its server's clock, that a region told when it was asked
   * @param done the regions that are compacted, or not wanted
   */
  private record Run(
      Predicate<RegionMetrics> wanted,
      int families,
      boolean told,
      Map<String, List<Long>> before,
      Set<String> done) {}

  /** The regions that servers have at this moment, without replicas. */
  static List<Region> regions(Admin admin, TableName table) throws IOException {
    List<Region> regions = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics metrics : PrimaryRegions.metrics(admin, server, table)) {
        regions.add(new Region(server, metrics));
      }
    }
    return regions;
  }

  /**
   * Compacts, and waits until done.
   *
   * <p>HBase says nothing of a request that it passes over, as it does where compactions are
   * switched off, nor of a compaction that fails. So a region counts as compacted when it has files
   * of a compaction of all files that it did not have before it was asked, or has none.
   *
   * @param wanted asked anew when a request may have been passed over
   * @return the regions that are wanted and were not compacted, by name
   */
  Set<String> run(Predicate<RegionMetrics> wanted) throws IOException {
    TableDescriptor descriptor = admin.getDescriptor(table);
    int families = descriptor.getColumnFamilyCount();
    Run run =
        new Run(wanted, families, tellsOfWholes(descriptor), new HashMap<>(), new HashSet<>());
    int waits = 0;
    for (int round = 0; round < ROUNDS && waits < WAITS; ) {
      Set<String> absent = new HashSet<>();
      List<Region> all = regions(absent);
      note(all, run);
      absent.removeAll(run.done);
      List<Region> left =
          all.stream()
              .filter(region -> wanted.test(region.metrics()))
              .filter(
                  region ->
                      region.metrics().getStoreFileCount() > families
                          || !run.done.contains(region.metrics().getNameAsString()))
              .toList();
      if (!left.isEmpty()) {
        compact(left, run);
        round++;
      } else if (absent.isEmpty()) {
        return Set.of();
      } else {
        Futures.sleep(WAIT);
        waits++;
      }
    }
    Set<String> uncompacted = new HashSet<>();
    List<Region> last = regions(uncompacted);
    last.forEach(region -> uncompacted.add(region.metrics().getNameAsString()));
    note(last, run);
    uncompacted.removeAll(run.done);
    return uncompacted;
  }

  /** Notes the regions that are compacted, also if they move the next moment. */
  private void note(List<Region> regions, Run run) throws IOException {
    for (Region each : regions) {
      RegionMetrics region = each.metrics();
      // Those noted are not asked again, which takes a request each.
      if (!run.done.contains(region.getNameAsString())
          && (!run.wanted.test(region) || isCompacted(region, run))) {
        run.done.add(region.getNameAsString());
      }
    }
  }

  /** Striped stores have no file of all, so there a region counts that was asked and is quiet. */
  private boolean tellsOfWholes(TableDescriptor descriptor) {
    return Stream.concat(
            Stream.of(descriptor.getColumnFamilies())
                .map(family -> family.getConfigurationValue(ENGINE)),
            Stream.of(descriptor.getValue(ENGINE), admin.getConfiguration().get(ENGINE)))
        .filter(Objects::nonNull)
        .noneMatch(engine -> engine.endsWith("StripeStoreEngine"));
  }

  /**
   * The regions that servers have at this moment.
   *
   * @param absent gets the names of those that no server has, which are not known to be compact
   */
  private List<Region> regions(Set<String> absent) throws IOException {
    admin.getRegions(table).stream()
        .filter(RegionReplicaUtil::isDefaultReplica)
        .forEach(region -> absent.add(region.getRegionNameAsString()));
    return regions(admin, table).stream()
        .filter(region -> absent.remove(region.metrics().getNameAsString()))
        .toList();
  }

  /** Whether it was, since it was asked. */
  private boolean isCompacted(RegionMetrics region, Run run) throws IOException {
    List<Long> last = run.before.get(region.getNameAsString());
    if (last == null || !run.told || region.getStoreFileCount() == 0) {
      return last != null;
    }
    return compacted(region, run.families).filter(now -> isLater(now, last)).isPresent();
  }

  /** Whether each family was compacted whole since; one without files always is. */
  private static boolean isLater(List<Long> now, List<Long> last) {
    return now.size() == last.size()
        && IntStream.range(0, now.size())
            .allMatch(i -> now.get(i) == Long.MAX_VALUE || now.get(i) > last.get(i));
  }

  /**
   * When each of its indexed families was compacted whole. HBase tells the time of all families
   * together, and leaves out those that never were.
   *
   * @return empty if it does not answer
   */
  private Optional<List<Long>> compacted(RegionMetrics region, int families) throws IOException {
    Optional<List<Long>> byHBase = Optional.of(List.of(region.getLastMajorCompactionTimestamp()));
    if (families == 1) {
      return byHBase;
    }
    try (Table regions = admin.getConnection().getTable(table)) {
      List<Long> told =
          RegionService.compacted(ask(regions, RegionInfo.getStartKey(region.getRegionName())));
      return told.isEmpty() ? byHBase : Optional.of(told);
    } catch (UnknownProtocolException e) {
      return byHBase;
    } catch (IOException e) {
      ExceptionUtil.rethrowIfInterrupt(e);
      return Optional.empty();
    }
  }

  /** The same of this moment. */
  private Optional<List<Long>> compactedNow(Region region, int families) throws IOException {
    try {
      for (RegionMetrics now : PrimaryRegions.metrics(admin, region.server(), table)) {
        if (Bytes.equals(now.getRegionName(), region.name())) {
          return compacted(now, families);
        }
      }
    } catch (IOException e) {
      // Its server is gone, or too busy; what needs the answer asks again.
      ExceptionUtil.rethrowIfInterrupt(e);
    }
    return Optional.empty();
  }

  /** Asks the region of a row what its compactions did. */
  static Message ask(Table table, byte[] row) throws IOException {
    return RegionClient.call(table, row, RegionService.KEPT, RegionService.NOTHING);
  }

  /** Waits until each region was seen without a compaction; one that moves has ended its own. */
  void awaitQuiet() throws IOException {
    List<Region> busy = new ArrayList<>(regions(admin, table));
    int all = busy.size();
    long pause = LEAST_MILLIS;
    while (!busy.isEmpty()) {
      progress.progress("waiting for compactions of " + table, (long) all - busy.size(), all);
      for (Region region : List.copyOf(busy)) {
        if (isQuiet(region)) {
          busy.remove(region);
        }
      }
      pause = pause(busy, pause);
    }
  }

  /** Whether it has no compaction, or moved on. */
  private boolean isQuiet(Region region) throws IOException {
    // A request counts as running from the moment the server accepted it.
    return served(() -> admin.getCompactionStateForRegion(region.name()))
        .filter(state -> state != CompactionState.NONE)
        .isEmpty();
  }

  /** Pauses if some are left, and returns how long to pause the next time. */
  private static long pause(List<?> busy, long pause) throws InterruptedIOException {
    if (!busy.isEmpty()) {
      Futures.sleep(Duration.ofMillis(pause));
    }
    return Math.min(2 * pause, MOST_MILLIS);
  }

  /** A region that was asked to compact. Used by one thread. */
  private static final class Asked {
    private final Region region;

    /** As of the request; null if the region did not answer. */
    private List<Long> compacted;

    private long looked;

    /** Whether nothing of before the flush was under way at the request. */
    private boolean counts;

    Asked(Region region) {
      this.region = region;
    }

    /** A family without files, which tells that it is compact, may get one. */
    void note(Optional<List<Long>> told) {
      compacted =
          told.map(all -> all.stream().map(time -> time == Long.MAX_VALUE ? 0L : time).toList())
              .orElse(null);
      looked = System.nanoTime();
    }
  }

  /**
   * Compacts each region. HBase passes over the request while another compaction is under way,
   * which leaves out what was flushed since it began, but has the next one take all files. So the
   * region is asked again once it has no compaction, or all its files of before are replaced, for
   * amid many writes one follows the other; and only what is compacted later counts.
   */
  private void compact(List<Region> regions, Run run) throws IOException {
    Queue<Region> waiting = new ArrayDeque<>(regions);
    List<Asked> running = new ArrayList<>();
    long pause = LEAST_MILLIS;
    while (!waiting.isEmpty() || !running.isEmpty()) {
      for (int i = waiting.size(); i > 0; i--) {
        Region region = waiting.remove();
        Asked asked = new Asked(region);
        if (running.stream().filter(r -> r.region.server().equals(region.server())).count()
            >= perServer) {
          waiting.add(region);
        } else if (flushes(region) && begins(asked, isQuiet(region), run)) {
          running.add(asked);
          pause = LEAST_MILLIS;
        }
      }
      progress(regions.size() - waiting.size() - running.size(), regions.size());
      for (Asked each : List.copyOf(running)) {
        if ((isQuiet(each.region) || (run.told && isReplaced(each, run.families)))
            && (each.counts || !begins(each, true, run))) {
          running.remove(each);
        }
      }
      pause = pause(running, pause);
    }
    progress(regions.size(), regions.size());
  }

  /** Whether it was compacted whole since the request; its server is seldom asked. */
  private boolean isReplaced(Asked asked, int families) throws IOException {
    if (System.nanoTime() - asked.looked < WAIT.toNanos()) {
      return false;
    }
    Optional<List<Long>> now = compactedNow(asked.region, families);
    if (asked.compacted == null) {
      asked.note(now);
      return false;
    }
    asked.looked = System.nanoTime();
    return now.filter(times -> isLater(times, asked.compacted)).isPresent();
  }

  private void progress(int done, int of) {
    progress.progress("compacting " + table, done, of);
  }

  /** Whether it was flushed: one that moves, splits or merges is left to another round. */
  private boolean flushes(Region region) throws IOException {
    return served(
            () -> {
              admin.flushRegion(region.name());
              // HBase passes over a request if another has just begun to flush; this one waits.
              admin.flushRegion(region.name());
              return region;
            })
        .isPresent();
  }

  /** Whether it was asked to compact, likewise. */
  private boolean begins(Asked asked, boolean counts, Run run) throws IOException {
    asked.counts = counts;
    asked.note(compactedNow(asked.region, run.families));
    if (counts && asked.compacted != null) {
      // One that does not answer is asked again in the next round.
      run.before.putIfAbsent(asked.region.metrics().getNameAsString(), asked.compacted);
    }
    return served(
            () -> {
              admin.majorCompactRegion(asked.region.name());
              return asked;
            })
        .isPresent();
  }

  /** A request to a region. */
  @FunctionalInterface
  private interface Request<T> {
    T make() throws IOException;
  }

  /** Returns the answer to a request; empty if the region moved on. */
  private static <T> Optional<T> served(Request<T> request) throws IOException {
    try {
      return Optional.of(request.make());
    } catch (NotServingRegionException
        | NoServerForRegionException
        | UnknownRegionException
        | IllegalArgumentException e) {
      // HBase calls one that is gone an illegal argument.
      return Optional.empty();
    }
  }
}
