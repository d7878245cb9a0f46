package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.service.TimestampRefusal;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows that had a mutation refused in the request that a thread serves. Thread-safe. */
final class RefusedRows {
  private record OfRequest(WeakReference<Object> request, Map<ByteBuffer, Refused> rows) {}

  /**
   * The first refused mutation of a row.
   *
   * @param drawn its timestamp
   * @param message the failure of what reads the row behind it, and would not see it
   */
  record Refused(long drawn, String message) {}

  private final TableName table;
  private final RegionPlace place;

  @SuppressWarnings("ThreadLocalUsage") // of this region; it ends with its request
  private final ThreadLocal<OfRequest> refused = new ThreadLocal<>();

  RefusedRows(TableName table, RegionPlace place) {
    this.table = table;
    this.place = place;
  }

  /** Notes the refusal of a mutation, if it is of a request, and returns its failure. */
  FailedSanityCheckException refuse(byte[] row, long drawn, TimestampRefusal refusal) {
    Object request = place.request();
    if (request != null) {
      OfRequest known = refused.get();
      if (known == null || known.request().get() != request) {
        known = new OfRequest(new WeakReference<>(request), new HashMap<>());
        refused.set(known);
      }
      String behind = "an earlier write of the row in the request was not admitted";
      known
          .rows()
          .putIfAbsent(ByteBuffer.wrap(row), new Refused(drawn, message(row, refusal, behind)));
    }
    return new FailedSanityCheckException(
        message(
            row,
            refusal,
            "timestamp %d was not admitted: another write of the row is newer, or it is ahead of the region server's clock or far behind"
                .formatted(drawn)));
  }

  private String message(byte[] row, TimestampRefusal refusal, String reason) {
    return refusal.toMessage(
        "table %s, row '%s': %s".formatted(table, Bytes.toStringBinary(row), reason));
  }

  /**
   * Refuses what reads a row, and would be decided without a refused mutation.
   *
   * @throws FailedSanityCheckException with the refusal of that, if there is one
   */
  void requireNone(byte[] row) throws FailedSanityCheckException {
    Optional<Refused> earlier = of(row);
    if (earlier.isPresent()) {
      throw new FailedSanityCheckException(earlier.get().message());
    }
  }

  /**
   * Refuses a Put or Delete that follows a refused mutation, by itself or by an exception, as
   * {@link Refusal#refuse} does: the delete of a column's latest version would not see that, and is
   * to see nothing of what follows itself.
   *
   * @throws FailedSanityCheckException with the refusal of that, if its batch is atomic
   */
  void refuseBehind(MiniBatchOperationInProgress<Mutation> batch, int position)
      throws FailedSanityCheckException {
    Mutation mutation = batch.getOperation(position);
    Optional<Refused> earlier = of(mutation.getRow());
    if (earlier.isEmpty()) {
      return;
    }
    // One that is atomic is refused as a whole, so a batch of which a part was is not.
    boolean ofEach =
        place.isOfEach(mutation.getRow())
            || IntStream.range(0, position)
                .anyMatch(i -> batch.getOperationStatus(i) instanceof Refusal);
    if (!ofEach) {
      requireNone(mutation.getRow());
    }
    Refusal.refuse(
        batch, position, OperationStatusCode.SANITY_CHECK_FAILURE, earlier.get().message());
  }

  Optional<Refused> of(byte[] row) {
    OfRequest known = refused.get();
    if (known == null) {
      return Optional.empty();
    }
    Object request = place.request();
    if (request == null || known.request().get() != request) {
      refused.remove();
      return Optional.empty();
    }
    return Optional.ofNullable(known.rows().get(ByteBuffer.wrap(row)));
  }
}
