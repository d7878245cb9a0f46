package io.deli.coprocessor.internal.hbase;

import java.util.Arrays;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The shape of a batch whose mutations HBase shows one by one.
 *
 * @param mutations whose entries may be sent together
 * @param deletes among them
 * @param conditional whether its row may be locked while they are
 * @param ofEach whether each of them succeeds or fails by itself
 * @param mayBeCut whether HBase may leave some out, as it does once the results of Gets in the same
 *     request have grown too large
 */
public record BatchShape(
    int mutations, int deletes, boolean conditional, boolean ofEach, boolean mayBeCut) {
  /** A batch whose mutations are sent one by one, since the number to come is unknown. */
  public static final BatchShape UNKNOWN = new BatchShape(1, 1, false, false, false);

  private static final BatchShape CONDITIONAL = new BatchShape(1, 1, true, false, false);

  /** The batch of the thread's request, if it serves one. */
  public static BatchShape ofCall(byte[] region) {
    return RpcServer.getCurrentCall().map(call -> of(call.getParam(), region)).orElse(UNKNOWN);
  }

  /**
   * The batch of a request for that region, unless the request has several, or none. Services that
   * coprocessors offer may lock rows before they write, as HBase's own of several rows does; so may
   * requests of a kind that is not known here.
   */
  @SuppressWarnings("deprecation") // what clients before HBase 2.4 set for RowMutations
  static BatchShape of(Message asked, byte[] region) {
    if (asked instanceof MutateRequest request) {
      return request.hasCondition() ? CONDITIONAL : UNKNOWN;
    }
    if (!(asked instanceof MultiRequest request)) {
      return CONDITIONAL;
    }
    if (request.hasCondition()
        || request.getRegionActionList().stream().anyMatch(BatchShape::mayLock)) {
      return CONDITIONAL;
    }
    RegionAction only = null;
    for (RegionAction each : request.getRegionActionList()) {
      if (Arrays.equals(each.getRegion().getValue().toByteArray(), region)) {
        if (only != null) {
          return UNKNOWN;
        }
        only = each;
      }
    }
    return only == null || only.getAtomic() ? UNKNOWN : of(only);
  }

  private static boolean mayLock(RegionAction batch) {
    return batch.hasCondition() || batch.getActionList().stream().anyMatch(Action::hasServiceCall);
  }

  private static BatchShape of(RegionAction batch) {
    int mutations = 0;
    int deletes = 0;
    boolean plain = true;
    boolean only = true;
    for (Action action : batch.getActionList()) {
      if (action.hasMutation()) {
        MutationType type = action.getMutation().getMutateType();
        // HBase cuts the batch at any other.
        plain &= type == MutationType.PUT || type == MutationType.DELETE;
        mutations++;
        deletes += type == MutationType.DELETE ? 1 : 0;
      } else {
        only = false;
      }
    }
    return plain
        ? new BatchShape(mutations, deletes, false, true, !only)
        : new BatchShape(1, 1, false, true, !only);
  }

  /** The same, to be sent one by one. */
  public BatchShape apart() {
    return new BatchShape(1, 1, conditional, ofEach, mayBeCut);
  }
}
