package io.deli.coprocessor.internal.servermaintained;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** The rows that had a mutation refused in the request that a thread serves. Thread-safe. */
final class RefusedRows {
  private record Refused(WeakReference<Object> request, Set<ByteBuffer> rows) {}

  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; it ends with its request
  private final ThreadLocal<Refused> refused = new ThreadLocal<>();

  RefusedRows(RegionPlace place) {
    this.place = place;
  }

  void add(byte[] row) {
    Object request = place.request();
    Refused known = refused.get();
    if (known == null || known.request().get() != request) {
      known = new Refused(new WeakReference<>(request), new HashSet<>());
      refused.set(known);
    }
    known.rows().add(ByteBuffer.wrap(row));
  }

  boolean contain(byte[] row) {
    Refused known = refused.get();
    if (known == null) {
      return false;
    }
    if (known.request().get() != place.request()) {
      refused.remove();
      return false;
    }
    return known.rows().contains(ByteBuffer.wrap(row));
  }
}
