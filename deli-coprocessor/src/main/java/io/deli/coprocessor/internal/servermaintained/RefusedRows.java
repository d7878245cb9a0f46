package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.service.TimestampRefusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;

/** The rows that had a mutation refused in a request. Thread-safe. */
final class RefusedRows {
  /** The timestamp of the first refused mutation of a row, and its refusal. */
  record Refused(long drawn, TimestampRefusal refusal) {}

  /**
   * The rows of each request, by table. One thread serves a request. Shared by all regions, since
   * requests that have ended are let go only as the map is used, and some regions see no others.
   */
  private static final ConcurrentMap<Object, Map<TableName, Map<byte[], Refused>>> OF_REQUESTS =
      new MapMaker().weakKeys().makeMap();

  private final TableName table;
  private final RegionPlace place;

  RefusedRows(TableName table, RegionPlace place) {
    this.table = table;
    this.place = place;
  }

  /** Notes the refusal of a mutation, if it is of a request, and returns its failure. */
  FailedSanityCheckException refuse(byte[] row, long drawn, TimestampRefusal refusal) {
    Object request = place.request();
    if (request != null) {
      OF_REQUESTS
          .computeIfAbsent(request, first -> new HashMap<>(1))
          // Clients choose the rows, and could choose their hashes.
          .computeIfAbsent(table, first -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
          .putIfAbsent(row, new Refused(drawn, refusal));
    }
    return new FailedSanityCheckException(
        message(
            row,
            refusal,
            "timestamp %d was not admitted: another write of the row is newer, or it is ahead of the region server's clock or far behind"
                .formatted(drawn)));
  }

  /** The failure of what reads the row behind a refused mutation, and would not see it. */
  private String behind(byte[] row, Refused earlier) {
    return message(
        row, earlier.refusal(), "an earlier write of the row in the request was not admitted");
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
      throw new FailedSanityCheckException(behind(row, earlier.get()));
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
    byte[] row = batch.getOperation(position).getRow();
    Optional<Refused> earlier = of(row);
    if (earlier.isEmpty()) {
      return;
    }
    // One that is atomic is refused as a whole, so a batch of which a part was is not.
    boolean ofEach =
        place.isOfEach(row)
            || IntStream.range(0, position)
                .anyMatch(i -> batch.getOperationStatus(i) instanceof Refusal);
    if (!ofEach) {
      requireNone(row);
    }
    Refusal.refuse(
        batch, position, OperationStatusCode.SANITY_CHECK_FAILURE, behind(row, earlier.get()));
  }

  Optional<Refused> of(byte[] row) {
    Object request = place.request();
    return request == null
        ? Optional.empty()
        : Optional.ofNullable(OF_REQUESTS.get(request))
            .map(tables -> tables.get(table))
            .map(rows -> rows.get(row));
  }
}
