package io.deli.coprocessor.internal.servermaintained;

import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * The pending mutations of a thread's request, by region. HBase does not tell of every mutation
 * that fails before it is applied, so the thread's next request clears what is left.
 */
final class PendingRequest {
  private static final ThreadLocal<PendingRequest> CURRENT = new ThreadLocal<>();

  private final WeakReference<RpcCall> call;
  private final IdentityHashMap<ServerMaintainedWrites, PendingMutations> byRegion =
      new IdentityHashMap<>(1);

  private PendingRequest(RpcCall call) {
    this.call = new WeakReference<>(call);
  }

  /** The work that a batch belongs to, new if there is none. */
  static PendingMutations at(ServerMaintainedWrites region, WALEdit batch) {
    RpcCall now = RpcServer.getCurrentCall().orElse(null);
    PendingRequest current = current(now).orElseGet(() -> begin(now));
    PendingMutations pending = current.byRegion.get(region);
    if (pending == null || (now == null && !pending.goesOn(batch))) {
      pending = new PendingMutations();
      current.byRegion.put(region, pending);
    }
    return pending;
  }

  private static PendingRequest begin(RpcCall now) {
    PendingRequest begun = new PendingRequest(now);
    CURRENT.set(begun);
    return begun;
  }

  /** Forgets what is of another request. */
  private static Optional<PendingRequest> current(RpcCall now) {
    PendingRequest current = CURRENT.get();
    if (current != null && current.call.get() != now) {
      CURRENT.remove();
      return Optional.empty();
    }
    return Optional.ofNullable(current);
  }

  /** The work of this request in a region, if there is any. */
  static Optional<PendingMutations> of(ServerMaintainedWrites region) {
    return current(RpcServer.getCurrentCall().orElse(null))
        .map(current -> current.byRegion.get(region));
  }

  static void forget(ServerMaintainedWrites region) {
    PendingRequest current = CURRENT.get();
    if (current != null) {
      current.byRegion.remove(region);
      if (current.byRegion.isEmpty()) {
        CURRENT.remove();
      }
    }
  }
}
