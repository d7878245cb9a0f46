package io.deli.client.internal.write;

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
 * an operation travels: the port behind finds its region by itself.
 */
final class Lanes implements Port {
  private final Port wire;
  private final Function<byte[], CompletableFuture<HRegionLocation>> locator;
  private final LaneLimits limits;
  private final ConcurrentMap<ServerName, Lane> byServer = new ConcurrentHashMap<>();

  /** For rows whose region is nowhere at the moment. */
  private final Lane astray;

  Lanes(
      Port wire, Function<byte[], CompletableFuture<HRegionLocation>> locator, LaneLimits limits) {
    this.wire = wire;
    this.locator = locator;
    this.limits = limits;
    this.astray = new Lane(wire, limits);
  }

  @Override
  public CompletableFuture<Object> send(Row operation) {
    CompletableFuture<Lane> lane = lane(operation);
    if (lane.isDone()) {
      return send(operation, lane.join());
    }
    return lane.thenCompose(found -> send(operation, found));
  }

  private static CompletableFuture<Object> send(Row operation, Lane lane) {
    Call call = new Call(operation);
    lane.submit(call);
    return call.answer();
  }

  @Override
  public List<CompletableFuture<Object>> send(List<? extends Row> operations) {
    List<Call> calls = new ArrayList<>(operations.size());
    List<CompletableFuture<Lane>> lanes = new ArrayList<>(operations.size());
    for (Row operation : operations) {
      calls.add(new Call(operation));
      lanes.add(lane(operation));
    }
    if (lanes.stream().allMatch(CompletableFuture::isDone)) {
      submit(calls, lanes);
    } else {
      Answers.then(Answers.all(lanes), (done, error) -> submit(calls, lanes));
    }
    return calls.stream().map(Call::answer).toList();
  }

  private static void submit(List<Call> calls, List<CompletableFuture<Lane>> lanes) {
    Map<Lane, List<Call>> together = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      together.computeIfAbsent(lanes.get(i).join(), lane -> new ArrayList<>()).add(calls.get(i));
    }
    together.forEach(Lane::submit);
  }

  /** The lane of an operation; never fails. */
  private CompletableFuture<Lane> lane(Row operation) {
    return locator.apply(operation.getRow()).handle((location, error) -> lane(location));
  }

  private Lane lane(HRegionLocation location) {
    return location == null || location.getServerName() == null
        ? astray
        : byServer.computeIfAbsent(location.getServerName(), server -> new Lane(wire, limits));
  }
}
