package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.Futures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * A table client that combines operations by region server. The location decides only which
 * operations share a request: HBase's client locates the region itself.
 */
final class CombiningTableClient implements TableClient {
  /** Time after which operations go without a location: HBase's client bounds its own search. */
  private static final long LOCATED_MILLIS = 1_000;

  private final Consumer<List<Call>> client;
  private final Function<Row, CompletableFuture<HRegionLocation>> locator;
  private final ServerQueue.Limits limits;
  private final Scheduler scheduler;
  private final ConcurrentMap<Destination, ServerQueue> queues = new ConcurrentHashMap<>();

  /**
   * Operations that may share a request: a server serves all of one by its highest priority.
   *
   * @param server by address: a server that is restarted is a new one, and old ones would be kept;
   *     empty for rows whose region has no location at the moment
   */
  private record Destination(Optional<Address> server, int priority) {}

  CombiningTableClient(
      Consumer<List<Call>> client,
      Function<Row, CompletableFuture<HRegionLocation>> locator,
      ServerQueue.Limits limits,
      Scheduler scheduler) {
    this.client = client;
    this.locator = locator;
    this.limits = limits;
    this.scheduler = scheduler;
  }

  @Override
  public CompletableFuture<Object[]> send(List<? extends Row> operations) {
    return Call.together(operations, this::submit);
  }

  private void submit(List<Call> calls) {
    if (calls.size() == 1 && calls.get(0).losesPriority()) {
      client.accept(calls);
      return;
    }
    List<CompletableFuture<HRegionLocation>> locations = new ArrayList<>(calls.size());
    boolean known = true;
    for (int i = 0; i < calls.size(); i++) {
      byte[] row = calls.get(i).operation().getRow();
      // The region may be another one meanwhile; in two requests a row's order would be lost.
      boolean isOfLast = i > 0 && Arrays.equals(row, calls.get(i - 1).operation().getRow());
      CompletableFuture<HRegionLocation> location =
          isOfLast ? locations.get(i - 1) : locate(calls.get(i).operation());
      known &= location.isDone();
      locations.add(location);
    }
    if (known) {
      submit(calls, locations);
    } else {
      FutureUtils.addListener(
          Futures.all(locations),
          (done, error) -> {
            if (error == null) {
              submit(calls, locations);
            } else {
              // Not on the thread that times out.
              scheduler.after(0).execute(() -> submit(calls, locations));
            }
          });
    }
  }

  private CompletableFuture<HRegionLocation> locate(Row operation) {
    CompletableFuture<HRegionLocation> location = locator.apply(operation);
    return location.isDone() ? location : scheduler.bounded(location.copy(), LOCATED_MILLIS);
  }

  private void submit(List<Call> calls, List<CompletableFuture<HRegionLocation>> locations) {
    if (calls.size() == 1) {
      Optional<HRegionLocation> place = known(locations.get(0));
      queue(place, calls.get(0).priority()).submit(calls.get(0), region(place));
      return;
    }
    // One for all: those of a row stay together.
    int priority = calls.stream().mapToInt(Call::priority).max().orElse(HConstants.PRIORITY_UNSET);
    Map<ServerQueue, Map<String, List<Call>>> together = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      Optional<HRegionLocation> place = known(locations.get(i));
      together
          .computeIfAbsent(queue(place, priority), queue -> new LinkedHashMap<>())
          .computeIfAbsent(region(place), region -> new ArrayList<>())
          .add(calls.get(i));
    }
    together.forEach(
        (queue, byRegion) -> {
          byRegion.forEach(queue::enqueue);
          queue.drain();
        });
  }

  private static Optional<HRegionLocation> known(CompletableFuture<HRegionLocation> location) {
    return location.isCompletedExceptionally()
        ? Optional.empty()
        : Optional.ofNullable(location.join()).filter(place -> place.getServerName() != null);
  }

  private static String region(Optional<HRegionLocation> place) {
    return place.map(found -> found.getRegion().getEncodedName()).orElse("");
  }

  private ServerQueue queue(Optional<HRegionLocation> place, int priority) {
    return queues.computeIfAbsent(
        new Destination(place.map(found -> found.getServerName().getAddress()), priority),
        destination -> new ServerQueue(client, limits, scheduler));
  }
}
