package io.deli.coprocessor.internal.send;

import io.deli.coprocessor.internal.send.GcMetrics.Count;
import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies deletes to the index regions that this server has open itself, and hands the others on. A
 * request to itself costs a server as much as what it asks for.
 *
 * <p>A region does with them what it does with those of a request, by the same call: observers see
 * them, the log has them before they are acknowledged, and the user is the server's own. What HBase
 * sees to before that call is left to HBase: with quotas, or little memory left for writes, all
 * deletes are handed on; so are those that a region does not take, since it closes, say, or is
 * busy.
 *
 * <p>The caller never waits. A few threads apply; when none is free, as when a log hangs, deletes
 * are handed on, too.
 */
final class LocalDeleteSender implements IndexDelete.Sender {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDeleteSender.class);

  /** Four compactions' requests under way, by default. */
  private static final int THREADS = 8;

  private static final int IDLE_SECONDS = 30;

  private final OnlineRegions regions;
  private final boolean hasQuotas;
  private final GcMetrics metrics;
  private final IndexDelete.Sender others;
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          ServerResources::thread);

  /**
   * @param others carries what is not applied here
   */
  LocalDeleteSender(
      OnlineRegions regions,
      Configuration configuration,
      GcMetrics metrics,
      IndexDelete.Sender others) {
    this.regions = regions;
    this.hasQuotas = QuotaUtil.isQuotaEnabled(configuration);
    this.metrics = metrics;
    this.others = others;
  }

  @Override
  public CompletableFuture<Void> send(
      TableName table, List<IndexDelete> deletes, long timeoutMillis, Runnable acknowledged) {
    Map<Region, List<IndexDelete>> here = new LinkedHashMap<>();
    List<IndexDelete> elsewhere = new ArrayList<>();
    List<? extends Region> open = open(table);
    Region region = null;
    for (IndexDelete delete : deletes) {
      byte[] row = CellUtil.cloneRow(delete.first());
      if (region == null || !region.getRegionInfo().containsRow(row)) {
        region = find(open, row);
      }
      (region == null ? elsewhere : here.computeIfAbsent(region, r -> new ArrayList<>()))
          .add(delete);
    }
    if (here.isEmpty()) {
      return others.send(table, deletes, timeoutMillis, acknowledged);
    }
    CompletableFuture<Void> rest =
        elsewhere.isEmpty()
            ? CompletableFuture.completedFuture(null)
            : others.send(table, elsewhere, timeoutMillis, acknowledged);
    return apply(here, timeoutMillis, acknowledged)
        .thenCompose(
            left ->
                left.isEmpty()
                    ? rest
                    : CompletableFuture.allOf(
                        rest, others.send(table, left, timeoutMillis, acknowledged)));
  }

  /** The regions of a table to which deletes may be applied here, and now. */
  private List<? extends Region> open(TableName table) {
    return Contained.orElse(
        () -> {
          List<? extends Region> open = hasQuotas ? List.of() : regions.getRegions(table);
          return open.isEmpty() || isShortOfMemory() ? List.of() : open;
        },
        e -> List.of());
  }

  /** Whether a request would have HBase flush, or wait until it has. */
  private boolean isShortOfMemory() {
    return !(regions instanceof RegionServerServices server)
        || server.getRegionServerAccounting().getFlushPressure() >= 1;
  }

  private static Region find(List<? extends Region> open, byte[] row) {
    for (Region region : open) {
      RegionInfo info = region.getRegionInfo();
      if (info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID && info.containsRow(row)) {
        return region;
      }
    }
    return null;
  }

  /** Completes with those that are not applied, unless their time is up. */
  private CompletableFuture<List<IndexDelete>> apply(
      Map<Region, List<IndexDelete>> here, long timeoutMillis, Runnable acknowledged) {
    try {
      return CompletableFuture.supplyAsync(() -> left(here, acknowledged), threads)
          .completeOnTimeout(List.of(), timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          here.values().stream().flatMap(List::stream).toList());
    }
  }

  private List<IndexDelete> left(Map<Region, List<IndexDelete>> here, Runnable acknowledged) {
    List<IndexDelete> left = new ArrayList<>();
    here.forEach(
        (region, deletes) -> {
          Contained.quietly(
              () -> apply(region, deletes, acknowledged),
              e -> LOG.debug("{} does not take deletes; they are sent", region, e));
          deletes.stream().filter(delete -> !delete.isAcknowledged()).forEach(left::add);
        });
    return left;
  }

  private void apply(Region region, List<IndexDelete> deletes, Runnable acknowledged)
      throws IOException {
    metrics.requested(deletes);
    OperationStatus[] done = asServer(region, deletes);
    int cells = 0;
    for (int i = 0; i < done.length; i++) {
      if (done[i].getOperationStatusCode() == OperationStatusCode.SUCCESS) {
        deletes.get(i).acknowledge();
        cells += deletes.get(i).cells();
      }
    }
    metrics.add(Count.DELETES_ACKNOWLEDGED, cells);
    if (cells > 0) {
      acknowledged.run();
    }
  }

  /**
   * Applies them as the server's user, since a thread may have been made while somebody else was
   * served.
   */
  private static OperationStatus[] asServer(Region region, List<IndexDelete> deletes)
      throws IOException {
    Mutation[] mutations = deletes.stream().map(IndexDelete::delete).toArray(Mutation[]::new);
    PrivilegedExceptionAction<OperationStatus[]> batch = () -> region.batchMutate(mutations);
    try {
      return User.create(UserGroupInformation.getLoginUser()).runAs(batch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while deletes were applied", e);
    }
  }

  /** Ends its threads; deletes that come later are handed on. */
  void close() {
    threads.shutdown();
  }
}
