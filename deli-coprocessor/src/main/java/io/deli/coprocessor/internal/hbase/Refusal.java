package io.deli.coprocessor.internal.hbase;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The status of a mutation that is refused while its row is locked, and others of its batch are
 * applied.
 *
 * <p>HBase counts the writes of many columns that are under way in a store ({@code
 * hbase.region.store.parallel.put.limit}) from before it locks rows, and discounts those that end
 * as a success or as an ordinary failure: with any other status it takes them for never begun. So a
 * mutation is an ordinary failure until HBase has discounted it, and gets the status that its
 * client is to see when the batch ends.
 */
public final class Refusal extends OperationStatus {
  private final OperationStatus answer;

  private Refusal(OperationStatus answer) {
    super(OperationStatusCode.FAILURE, answer.getExceptionMsg());
    this.answer = answer;
  }

  /** Refuses a mutation of a batch, whose rows are locked. */
  public static void refuse(
      MiniBatchOperationInProgress<Mutation> batch,
      int position,
      OperationStatusCode code,
      String message) {
    batch.setOperationStatus(position, new Refusal(new OperationStatus(code, message)));
  }

  /** The same, for the client to try again unless the exception says that this is of no use. */
  public static void refuse(
      MiniBatchOperationInProgress<Mutation> batch, int position, Exception reason) {
    refuse(
        batch,
        position,
        reason instanceof DoNotRetryIOException
            ? OperationStatusCode.FAILURE
            : OperationStatusCode.STORE_TOO_BUSY,
        reason.getMessage());
  }

  /**
   * Refuses a mutation for good: by itself, or by an exception if its batch is applied as a whole,
   * for of such a one HBase passes over the mutation, and answers that all is done.
   *
   * @throws FailedSanityCheckException for the batch
   */
  public static void refuse(
      Region region, MiniBatchOperationInProgress<Mutation> batch, int position, String message)
      throws FailedSanityCheckException {
    byte[] row = batch.getOperation(position).getRow();
    if (!BatchShape.ofCall(region.getRegionInfo().getRegionName(), row).ofEach()) {
      throw new FailedSanityCheckException(message);
    }
    refuse(batch, position, OperationStatusCode.SANITY_CHECK_FAILURE, message);
  }

  /** Whether a mutation of a batch is still to be applied. */
  public static boolean isPending(MiniBatchOperationInProgress<Mutation> batch, int position) {
    return batch.getOperationStatus(position).getOperationStatusCode()
        == OperationStatusCode.NOT_RUN;
  }

  /**
   * Has mutations tried again, too, that follow one of their row in the batch that is to be: so the
   * row's mutations keep their order.
   */
  public static void extend(MiniBatchOperationInProgress<Mutation> batch) {
    Map<ByteBuffer, OperationStatus> busy = new HashMap<>(0);
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i) instanceof Refusal refusal && refusal.isBusy()) {
        busy.putIfAbsent(row(batch, i), refusal);
      } else if (!busy.isEmpty() && isPending(batch, i) && busy.containsKey(row(batch, i))) {
        batch.setOperationStatus(i, busy.get(row(batch, i)));
      }
    }
  }

  private boolean isBusy() {
    return answer.getOperationStatusCode() == OperationStatusCode.STORE_TOO_BUSY;
  }

  private static ByteBuffer row(MiniBatchOperationInProgress<Mutation> batch, int position) {
    return ByteBuffer.wrap(batch.getOperation(position).getRow());
  }

  /** Gives what was refused of a batch the statuses for its client; to be called at its end. */
  public static void answer(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperationStatus(i) instanceof Refusal refusal) {
        batch.setOperationStatus(i, refusal.answer);
      }
    }
  }
}
