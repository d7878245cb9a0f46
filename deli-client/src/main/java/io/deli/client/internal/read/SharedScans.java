package io.deli.client.internal.read;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.Futures;
import io.deli.client.internal.RegionClient;
import io.deli.service.RegionService;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Answer;
import io.deli.service.ServerScan.Rows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Has the scans of concurrent callers of a table share requests to one region server: of a small
 * lookup the request is a good part of the cost. Thread-safe.
 *
 * <p>They are divided among few requests: a scan waits until a request's share of them is waiting,
 * or none is in flight. A share is never more than keeps a server busy for a short while, so that
 * scans that take long are not kept waiting for each other; and what finds the server busy with
 * others for long is sent anyway.
 */
final class SharedScans {
  /** Scans in one request at most. */
  private static final int MOST = 16;

  /** For how long a server may be busy with one request. */
  private static final long SHORT_NANOS = 1_000_000;

  private static final long LATE_MILLIS = 20;

  /** Weight of the past, as a power of two, in the running mean of a scan's time. */
  private static final int MEMORY = 4;

  private final Server server;
  private final int few;
  private final Scheduler scheduler;
  private final Deque<Asked> waiting = new ArrayDeque<>();

  /** Scans in flight. */
  private int sent;

  private boolean watched;

  /** Running mean of the server's time for a scan. */
  private long nanos = SHORT_NANOS;

  /** Sends a request, once. */
  @FunctionalInterface
  interface Server {
    /**
     * Sends it.
     *
     * @param row of a region of the table that the server has
     */
    CompletableFuture<Answer> scan(byte[] row, List<ServerScan> scans);
  }

  /** The queues of all who keep to the same settings, by table and region server. Thread-safe. */
  static final class OfConnection {
    private final Function<TableName, AsyncTable<?>> tables;
    private final int few;
    private final Scheduler scheduler;
    private final ConcurrentMap<Place, SharedScans> all = new ConcurrentHashMap<>();

    private final ConcurrentMap<TableName, Map<ServerName, byte[]>> servers =
        new ConcurrentHashMap<>();

    /** By address: a server that is restarted is a new one, and old ones would be kept. */
    private record Place(Address server, TableName table) {}

    /**
     * @param tables whose time-outs bound requests
     * @param few requests among which scans are divided
     */
    OfConnection(Function<TableName, AsyncTable<?>> tables, int few, Scheduler scheduler) {
      this.tables = tables;
      this.few = few;
      this.scheduler = scheduler;
    }

    SharedScans to(ServerName server, TableName table) {
      return all.computeIfAbsent(
          new Place(server.getAddress(), table),
          place -> new SharedScans(server(table), few, scheduler));
    }

    /** All servers that had regions of a table, with a row of each, as far as is remembered. */
    Optional<Map<ServerName, byte[]>> servers(TableName table) {
      return Optional.ofNullable(servers.get(table));
    }

    void remember(TableName table, Map<ServerName, byte[]> all) {
      servers.put(table, Map.copyOf(all));
    }

    void forgetServers(TableName table) {
      servers.remove(table);
    }

    private Server server(TableName table) {
      AsyncTable<?> asked = tables.apply(table);
      return (row, scans) ->
          RegionClient.call(asked, row, RegionService.SCAN, ServerScan.request(scans))
              .thenApply(Answer::of);
    }
  }

  private record Asked(byte[] row, ServerScan scan, CompletableFuture<List<Rows>> answer) {}

  /**
   * @param few requests among which scans are divided
   */
  SharedScans(Server server, int few, Scheduler scheduler) {
    this.server = server;
    this.few = few;
    this.scheduler = scheduler;
  }

  /**
   * Asks the server for a scan.
   *
   * @param row of a region that it has
   */
  CompletableFuture<List<Rows>> ask(byte[] row, ServerScan scan) {
    Asked asked = new Asked(row, scan, new CompletableFuture<>());
    synchronized (this) {
      waiting.add(asked);
    }
    drain();
    watch();
    return asked.answer();
  }

  private void drain() {
    for (List<Asked> scans = take(); !scans.isEmpty(); scans = take()) {
      send(scans);
    }
  }

  private synchronized List<Asked> take() {
    return sent > 0 && waiting.size() < share() ? List.of() : takeAnyway();
  }

  /** How many scans are one request's. */
  private int share() {
    return Math.min(atATime(), (waiting.size() + sent + few - 1) / few);
  }

  /** How many scans a server answers in a short while. */
  private int atATime() {
    return (int) Math.max(1, Math.min(MOST, SHORT_NANOS / Math.max(1, nanos)));
  }

  private synchronized List<Asked> takeAnyway() {
    List<Asked> taken = new ArrayList<>();
    int share = share();
    while (!waiting.isEmpty() && taken.size() < share) {
      taken.add(waiting.remove());
    }
    sent += taken.size();
    return taken;
  }

  private void send(List<Asked> scans) {
    FutureUtils.addListener(
        request(scans),
        (answer, error) -> {
          try {
            for (int i = 0; i < scans.size(); i++) {
              List<Rows> found = error == null ? answer.found().get(i) : List.of();
              if (error == null && found.isEmpty() && scans.size() > 1) {
                sendAlone(scans.get(i));
              } else {
                Futures.complete(scans.get(i).answer(), found, error);
              }
            }
          } finally {
            answered(scans.size(), answer);
            drain();
          }
        });
  }

  private CompletableFuture<Answer> request(List<Asked> scans) {
    List<ServerScan> asked = scans.stream().map(Asked::scan).toList();
    CompletableFuture<Answer> answer;
    try {
      answer = server.scan(scans.get(0).row(), asked);
    } catch (Throwable e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.thenApply(
        all -> {
          if (all.found().size() != asked.size()) {
            throw new IllegalStateException(
                "%d answers to %d scans".formatted(all.found().size(), asked.size()));
          }
          return all;
        });
  }

  private void sendAlone(Asked asked) {
    synchronized (this) {
      sent++;
    }
    send(List.of(asked));
  }

  private synchronized void answered(int scans, Answer answer) {
    sent -= scans;
    if (answer != null) {
      nanos += (answer.nanos() / scans - nanos) >> MEMORY;
    }
  }

  /** Sees to it that nothing waits for long. */
  private void watch() {
    synchronized (this) {
      if (watched || waiting.isEmpty()) {
        return;
      }
      watched = true;
    }
    scheduler.after(LATE_MILLIS).execute(this::sendLate);
  }

  private void sendLate() {
    List<Asked> late;
    synchronized (this) {
      watched = false;
      late = takeAnyway();
    }
    if (!late.isEmpty()) {
      send(late);
    }
    watch();
  }
}
