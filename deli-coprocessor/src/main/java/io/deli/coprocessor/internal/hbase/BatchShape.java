package io.deli.coprocessor.internal.hbase;

import java.util.List;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
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
  private static final BatchShape APART = new BatchShape(1, 1, false, true, false);

  /**
   * The batch of the thread's request, if it serves one.
   *
   * @param row of a mutation in the batch
   */
  public static BatchShape ofCall(byte[] region, byte[] row) {
    return RpcServer.getCurrentCall().map(call -> of(call.getParam(), region, row)).orElse(UNKNOWN);
  }

  /**
   * The batch of a request for that region. A request may have several: one for each RowMutations
   * and for each condition, of which it cannot be told but by their rows which one HBase shows, and
   * one of all others. Services that coprocessors offer may lock rows before they write, as HBase's
   * own of several rows does; so may requests of a kind that is not known here.
   */
  @SuppressWarnings("deprecation") // what clients before HBase 2.4 set for RowMutations
  static BatchShape of(Message asked, byte[] region, byte[] row) {
    if (asked instanceof MutateRequest request) {
      return request.hasCondition() ? CONDITIONAL : UNKNOWN;
    }
    if (!(asked instanceof MultiRequest request)) {
      return CONDITIONAL;
    }
    if (request.hasCondition()
        || request.getRegionActionList().stream().anyMatch(BatchShape::callsService)) {
      return CONDITIONAL;
    }
    ByteString name = ByteString.copyFrom(region);
    List<RegionAction> batches =
        request.getRegionActionList().stream()
            .filter(each -> each.getRegion().getValue().equals(name))
            .toList();
    ByteString key = ByteString.copyFrom(row);
    List<RegionAction> ofRow = batches.stream().filter(each -> writes(each, key)).toList();
    if (ofRow.stream().anyMatch(RegionAction::hasCondition)) {
      return CONDITIONAL;
    }
    if (ofRow.stream().anyMatch(RegionAction::getAtomic)) {
      return UNKNOWN;
    }
    List<RegionAction> ofEach =
        batches.stream().filter(each -> !each.hasCondition() && !each.getAtomic()).toList();
    return ofEach.size() == 1 ? of(ofEach.get(0)) : ofEach.isEmpty() ? UNKNOWN : APART;
  }

  private static boolean callsService(RegionAction batch) {
    return batch.getActionList().stream().anyMatch(Action::hasServiceCall);
  }

  private static boolean writes(RegionAction batch, ByteString row) {
    return batch.getActionList().stream()
        .filter(Action::hasMutation)
        .map(Action::getMutation)
        .anyMatch(each -> !each.hasRow() || each.getRow().equals(row));
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
