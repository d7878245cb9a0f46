package io.deli.client.internal.write;

import io.deli.client.internal.Surroundings.Delays;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Row;

/**
 * A way to a table that combines operations by region server. The location decides only with whom
 * an operation travels: the wire finds its region by itself.
 */
final class Lanes implements Port {
  private final Wire wire;
  private final Function<byte[], CompletableFuture<HRegionLocation>> locator;
  private final LaneLimits limits;
  private final Delays delays;
  private final ConcurrentMap<ServerName, Lane> byServer = new ConcurrentHashMap<>();

  /** For rows whose region is nowhere at the moment. */
  private final Lane astray;

  Lanes(
      Wire wire,
      Function<byte[], CompletableFuture<HRegionLocation>> locator,
      LaneLimits limits,
      Delays delays) {
    this.wire = wire;
    this.locator = locator;
    this.limits = limits;
    this.delays = delays;
    this.astray = new Lane(wire, limits, delays);
  }

  @Override
  public CompletableFuture<Object[]> send(List<? extends Row> operations) {
    return Call.together(operations, this::submit);
  }

  private void submit(List<Call> calls) {
    List<CompletableFuture<HRegionLocation>> locations = new ArrayList<>(calls.size());
    boolean known = true;
    for (Call call : calls) {
      CompletableFuture<HRegionLocation> location = locator.apply(call.operation().getRow());
      known &= location.isDone();
      locations.add(location);
    }
    if (known) {
      submit(calls, locations);
    } else {
      Answers.then(
          CompletableFuture.allOf(locations.toArray(CompletableFuture[]::new)),
          (done, error) -> submit(calls, locations));
    }
  }

  private void submit(List<Call> calls, List<CompletableFuture<HRegionLocation>> locations) {
    if (calls.size() == 1) {
      lane(locations.get(0)).submit(calls.get(0));
      return;
    }
    Map<Lane, List<Call>> together = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      together.computeIfAbsent(lane(locations.get(i)), lane -> new ArrayList<>()).add(calls.get(i));
    }
    together.forEach(Lane::submit);
  }

  /** The lane to a region that has been looked for. */
  private Lane lane(CompletableFuture<HRegionLocation> location) {
    if (location.isCompletedExceptionally()) {
      return astray;
    }
    HRegionLocation found = location.join();
    return found == null || found.getServerName() == null
        ? astray
        : byServer.computeIfAbsent(found.getServerName(), server -> new Lane(wire, limits, delays));
  }
}
