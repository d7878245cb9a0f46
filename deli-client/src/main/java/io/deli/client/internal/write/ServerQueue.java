package io.deli.client.internal.write;

import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.config.DeliSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Queues the operations of all callers for one table on one region server. Thread-safe.
 *
 * <p>While few operations are in flight, each is sent at once in a request of its own. When many
 * are, they queue, and the queue is sent in one combined request when the previous one is answered:
 * for small operations the request is the cost. Operations are sent in the order of their arrival.
 */
final class ServerQueue {
  /** Weight of the past, as a power of two, in the running mean of the load. */
  private static final int MEMORY = 4;

  /** Operations waiting that are worth one more request beside those in flight. */
  private static final int WORTHWHILE = 50;

  private final Consumer<List<Call>> client;
  private final Limits limits;
  private final Scheduler scheduler;
  private final Deque<Call> queue = new ArrayDeque<>();
  private int underWay;
  private int requests;

  /** Running mean, shifted left by {@link #MEMORY}, of the operations here when one arrives. */
  private int load;

  /**
   * The limits of a server queue.
   *
   * @param direct operations in flight up to which each is sent alone
   * @param combined combined requests in flight at most
   * @param operations operations in one combined request at most
   * @param bytes heap size of the operations in one combined request, about
   */
  record Limits(int direct, int combined, int operations, long bytes) {
    /** HBase's own limit of one request of its blocking client. */
    private static final String REQUEST_HEAPSIZE = "hbase.client.max.perrequest.heapsize";

    static Limits of(Configuration configuration) {
      return new Limits(
          DeliSettings.WRITE_DIRECT.get(configuration),
          DeliSettings.WRITE_COMBINED.get(configuration),
          DeliSettings.WRITE_BATCH.get(configuration),
          configuration.getLong(REQUEST_HEAPSIZE, 4L << 20));
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

  void submit(Call call) {
    if (DeferredDrain.holds(this) || !startsAlone()) {
      enqueue(List.of(call));
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

  void submit(List<Call> calls) {
    enqueue(calls);
    drain();
  }

  private synchronized boolean startsAlone() {
    int here = underWay + queue.size() + 1;
    load += here - (load >> MEMORY);
    boolean crowded = load >> MEMORY > limits.direct();
    if (crowded || here > limits.direct() || !queue.isEmpty()) {
      return false;
    }
    underWay++;
    return true;
  }

  private synchronized void enqueue(Collection<Call> calls) {
    queue.addAll(calls);
  }

  /** Sends what waits, as far as requests may be in flight. */
  void drain() {
    if (DeferredDrain.holds(this)) {
      return;
    }
    for (List<Call> next = take(); !next.isEmpty(); next = take()) {
      new CombinedRequest(this, next.size()).send(next, client);
    }
  }

  private synchronized List<Call> take() {
    // Not more, however many wait: a server appends to its log once for each request and region.
    int allowed = queue.size() < WORTHWHILE ? limits.combined() : 2 * limits.combined();
    if (queue.isEmpty() || requests >= allowed) {
      return List.of();
    }
    List<Call> next = new ArrayList<>(Math.min(queue.size(), limits.operations()));
    long bytes = 0;
    while (!queue.isEmpty()
        && ((next.size() < limits.operations() && bytes < limits.bytes())
            || isOfRow(queue.peek(), next.get(next.size() - 1)))) {
      Call call = queue.remove();
      bytes += call.heapSize();
      next.add(call);
    }
    requests++;
    underWay += next.size();
    return next;
  }

  /** Whether both are of one row; in separate requests the second might be applied first. */
  private static boolean isOfRow(Call next, Call last) {
    return Arrays.equals(next.operation().getRow(), last.operation().getRow());
  }

  /** Notes that a combined request is no longer in flight. */
  synchronized void requestDone() {
    requests--;
  }

  synchronized void answered(int operations) {
    underWay -= operations;
  }
}
