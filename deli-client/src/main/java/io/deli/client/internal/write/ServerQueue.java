package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.config.DeliSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Queues the operations of all callers for one table on one region server. Thread-safe.
 *
 * <p>While few operations are in flight, each is sent at once in a request of its own. When many
 * are, they queue, and leave in combined requests when those before are answered: for small
 * operations the request is the cost. Operations of a region are sent in the order of their
 * arrival.
 */
final class ServerQueue {
  /** Weight of the past, as a power of two, in the running mean of the load. */
  private static final int MEMORY = 4;

  /** Operations waiting that are worth one more request beside those in flight. */
  private static final int WORTHWHILE = 30;

  /** Operations that are worth a part. */
  private static final int LEAST = 8;

  private final Consumer<List<Call>> client;
  private final Limits limits;
  private final Scheduler scheduler;

  /** By region, in the order in which these are to be taken. */
  private final Map<String, Deque<Call>> queue = new LinkedHashMap<>();

  private int waiting;
  private int underWay;
  private int requests;
  private int deliveries;

  /** Running mean, shifted left by {@link #MEMORY}, of the operations here when one arrives. */
  private int load;

  /**
   * The limits of a server queue.
   *
   * @param direct operations in flight up to which each is sent alone
   * @param combined combined requests in flight at most
   * @param parts of a combined request, which a server serves side by side
   * @param operations operations in one combined request at most
   * @param bytes heap size of the operations in one combined request, about
   */
  record Limits(int direct, int combined, int parts, int operations, long bytes) {
    private static final int PARTS = 4;

    /** Writes of rows with entries in the place of one combined request. */
    private static final int COLOCATED = 2;

    /** HBase's own limit of one request of its blocking client. */
    private static final String REQUEST_HEAPSIZE = "hbase.client.max.perrequest.heapsize";

    static Limits of(Configuration configuration) {
      return new Limits(
          DeliSettings.WRITE_DIRECT.get(configuration),
          DeliSettings.WRITE_COMBINED.get(configuration),
          PARTS,
          DeliSettings.WRITE_BATCH.get(configuration),
          configuration.getLong(REQUEST_HEAPSIZE, 4L << 20));
    }

    /** The limits where a request in parts would have the entries of each part apart. */
    Limits whole() {
      return new Limits(direct, COLOCATED * combined, 1, operations, bytes);
    }
  }

  ServerQueue(Consumer<List<Call>> client, Limits limits, Scheduler scheduler) {
    this.client = client;
    this.limits = limits;
    this.scheduler = scheduler;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /**
   * @param region that the operation is of; empty if that is not known
   */
  void submit(Call call, String region) {
    if (DeferredDrain.holds(this) || !startsAlone()) {
      enqueue(region, List.of(call));
      drain();
    } else {
      client.accept(
          List.of(
              new Call(
                  call.operation(),
                  (result, error) -> {
                    answered(1);
                    call.answered(result, error);
                  })));
    }
  }

  private synchronized boolean startsAlone() {
    int here = underWay + waiting + 1;
    load += here - (load >> MEMORY);
    boolean crowded = load >> MEMORY > limits.direct();
    if (crowded || here > limits.direct() || waiting > 0) {
      return false;
    }
    underWay++;
    return true;
  }

  /** Has operations of a region wait for {@link #drain}. */
  synchronized void enqueue(String region, List<Call> calls) {
    queue.computeIfAbsent(region, any -> new ArrayDeque<>()).addAll(calls);
    waiting += calls.size();
  }

  /** Sends what waits, as far as requests may be in flight. */
  void drain() {
    if (DeferredDrain.holds(this)) {
      return;
    }
    for (List<List<Call>> parts = take(); !parts.isEmpty(); parts = take()) {
      new CombinedRequest(this, parts).send(client);
    }
  }

  private synchronized List<List<Call>> take() {
    // Not more, however many wait: a server appends to its log once for each request and region.
    int most = waiting < WORTHWHILE ? limits.combined() : 2 * limits.combined();
    if (waiting == 0 || requests >= most || deliveries > 0) {
      return List.of();
    }
    int share = Math.max(WORTHWHILE, waiting / (most - requests));
    requests++;
    return take(share);
  }

  /**
   * Takes so many or more of as few regions as have them, in parts of whole regions: a server
   * serves the regions of one part one after the other.
   */
  private List<List<Call>> take(int share) {
    List<List<Call>> parts = new ArrayList<>();
    int least = Math.max(LEAST, Math.min(share, waiting) / limits.parts());
    int taken = 0;
    long bytes = 0;
    while (!queue.isEmpty() && taken < share && hasRoom(taken, bytes)) {
      String name = queue.keySet().iterator().next();
      Deque<Call> region = queue.remove(name);
      if (parts.isEmpty() || parts.get(parts.size() - 1).size() >= least) {
        parts.add(new ArrayList<>());
      }
      List<Call> part = parts.get(parts.size() - 1);
      while (!region.isEmpty()
          && (hasRoom(taken, bytes) || isOfRow(region.peek(), part.get(part.size() - 1)))) {
        bytes += region.peek().heapSize();
        part.add(region.remove());
        taken++;
      }
      if (!region.isEmpty()) {
        // Behind the others: one that never becomes empty would be the first for good.
        queue.put(name, region);
      }
    }
    underWay += taken;
    waiting -= taken;
    return parts;
  }

  private boolean hasRoom(int operations, long bytes) {
    return operations < limits.operations() && bytes < limits.bytes();
  }

  /** Whether both are of one row; in separate requests the second might be applied first. */
  private static boolean isOfRow(Call next, Call last) {
    return Arrays.equals(next.operation().getRow(), last.operation().getRow());
  }

  /**
   * Delivers the answers of a combined request that is no longer in flight, and sends what waits.
   * The next operations of callers who are told first wait for the others.
   */
  void deliver(int operations, Runnable delivery) {
    deliveryBegins(operations);
    DeferredDrain.during(
        () -> {
          try {
            delivery.run();
          } finally {
            deliveryEnds();
          }
        });
    drain();
  }

  private synchronized void deliveryBegins(int operations) {
    underWay -= operations;
    requests--;
    deliveries++;
  }

  private synchronized void deliveryEnds() {
    deliveries--;
  }

  synchronized void answered(int operations) {
    underWay -= operations;
  }
}
