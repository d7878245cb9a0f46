package io.deli.coprocessor.internal.serve;

import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * What a thread has under way: of one request, in all regions. HBase does not tell of every
 * mutation that fails before it is applied, so the thread's next request clears what is left.
 */
final class ThreadWork {
  private static final ThreadLocal<ThreadWork> CURRENT = new ThreadLocal<>();

  private final WeakReference<RpcCall> call;
  private final IdentityHashMap<ServedWrites, HandlerWork> byRegion = new IdentityHashMap<>(1);

  private ThreadWork(RpcCall call) {
    this.call = new WeakReference<>(call);
  }

  /** The work that a batch belongs to, new if there is none. */
  static HandlerWork at(ServedWrites region, WALEdit batch) {
    RpcCall now = RpcServer.getCurrentCall().orElse(null);
    ThreadWork current = current(now).orElseGet(() -> begin(now));
    HandlerWork work = current.byRegion.get(region);
    if (work == null || (now == null && !work.isAt(batch))) {
      work = new HandlerWork();
      current.byRegion.put(region, work);
    }
    return work;
  }

  private static ThreadWork begin(RpcCall now) {
    ThreadWork begun = new ThreadWork(now);
    CURRENT.set(begun);
    return begun;
  }

  /** Forgets what is of another request. */
  private static Optional<ThreadWork> current(RpcCall now) {
    ThreadWork current = CURRENT.get();
    if (current != null && current.call.get() != now) {
      CURRENT.remove();
      return Optional.empty();
    }
    return Optional.ofNullable(current);
  }

  /** The work of this request in a region, if there is any. */
  static Optional<HandlerWork> of(ServedWrites region) {
    return current(RpcServer.getCurrentCall().orElse(null))
        .map(current -> current.byRegion.get(region));
  }

  static void forget(ServedWrites region) {
    ThreadWork current = CURRENT.get();
    if (current != null) {
      current.byRegion.remove(region);
      if (current.byRegion.isEmpty()) {
        CURRENT.remove();
      }
    }
  }
}
