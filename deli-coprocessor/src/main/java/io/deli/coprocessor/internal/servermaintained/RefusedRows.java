package io.deli.coprocessor.internal.servermaintained;

import io.deli.service.TimestampRefusal;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows that had a mutation refused in the request that a thread serves. Thread-safe. */
final class RefusedRows {
  private record Refused(WeakReference<Object> request, Map<ByteBuffer, TimestampRefusal> rows) {}

  private final TableName table;
  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; it ends with its request
  private final ThreadLocal<Refused> refused = new ThreadLocal<>();

  RefusedRows(TableName table, RegionPlace place) {
    this.table = table;
    this.place = place;
  }

  /** Notes the refusal of a mutation, and returns its failure. */
  FailedSanityCheckException refuse(byte[] row, TimestampRefusal refusal, String reason) {
    Object request = place.request();
    Refused known = refused.get();
    if (known == null || known.request().get() != request) {
      known = new Refused(new WeakReference<>(request), new HashMap<>());
      refused.set(known);
    }
    known.rows().putIfAbsent(ByteBuffer.wrap(row), refusal);
    return failure(row, refusal, reason);
  }

  private FailedSanityCheckException failure(byte[] row, TimestampRefusal refusal, String reason) {
    return new FailedSanityCheckException(
        refusal.toMessage(
            "table %s, row '%s': %s".formatted(table, Bytes.toStringBinary(row), reason)));
  }

  boolean contain(byte[] row) {
    return of(row) != null;
  }

  /**
   * Refuses what reads a row, and would be decided without the refused mutation.
   *
   * @throws FailedSanityCheckException with the refusal of that, if there is one
   */
  void requireNone(byte[] row) throws FailedSanityCheckException {
    TimestampRefusal refusal = of(row);
    if (refusal != null) {
      throw failure(row, refusal, "an earlier write of the row in the request was not admitted");
    }
  }

  private TimestampRefusal of(byte[] row) {
    Refused known = refused.get();
    if (known == null) {
      return null;
    }
    if (known.request().get() != place.request()) {
      refused.remove();
      return null;
    }
    return known.rows().get(ByteBuffer.wrap(row));
  }
}
