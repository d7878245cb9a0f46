package io.deli.coprocessor.internal.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.common.collect.MapMaker;
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

  private static final ConcurrentMap<MultiRequest, RequestBatches> KNOWN =
      new MapMaker().weakKeys().makeMap();

  /** The request that the thread carries out as a part of one of another kind. */
  private static final ThreadLocal<MultiRequest> PART = new ThreadLocal<>();

  /** A step that HBase takes. */
  @FunctionalInterface
  public interface Step<T, X extends Exception> {
    T run() throws X;
  }

  /** Has a request carried out that came as a part of another. */
  public static <T, X extends Exception> T during(MultiRequest part, Step<T, X> step) throws X {
    PART.set(part);
    try {
      return step.run();
    } finally {
      PART.remove();
    }
  }

  /**
   * The batch of the thread's request, if it serves one.
   *
   * @param row of a mutation in the batch
   */
  public static BatchShape ofCall(byte[] region, byte[] row) {
    MultiRequest part = PART.get();
    return part != null
        ? of(part, region, row)
        : RpcServer.getCurrentCall().map(call -> of(call.getParam(), region, row)).orElse(UNKNOWN);
  }

  /**
   * The batch of a request for that region. A request may have several: one for each RowMutations
   * and for each condition, of which it cannot be told but by their rows which one HBase shows, and
   * one of all others. Services that coprocessors offer may lock rows before they write, as HBase's
   * own of several rows does; so may requests of a kind that is not known here.
   */
  static BatchShape of(Message asked, byte[] region, byte[] row) {
    if (asked instanceof MutateRequest request) {
      return request.hasCondition() ? CONDITIONAL : UNKNOWN;
    }
    if (!(asked instanceof MultiRequest request)) {
      return CONDITIONAL;
    }
    return KNOWN
        .computeIfAbsent(request, RequestBatches::of)
        .shape(ByteString.copyFrom(region), ByteString.copyFrom(row));
  }

  /**
   * The batches of a request, found once, whichever regions it alternates between.
   *
   * @param conditional whether all are conditional, whatever their regions
   */
  private record RequestBatches(boolean conditional, Map<ByteString, RegionBatches> byRegion) {
    @SuppressWarnings("deprecation") // what clients before HBase 2.4 set for RowMutations
    static RequestBatches of(MultiRequest request) {
      List<RegionAction> all = request.getRegionActionList();
      if (request.hasCondition() || all.stream().anyMatch(BatchShape::callsService)) {
        return new RequestBatches(true, Map.of());
      }
      // Clients choose the names and rows, and could choose their hashes.
      return new RequestBatches(
          false,
          all.stream()
              .collect(
                  Collectors.groupingBy(
                      batch -> batch.getRegion().getValue(),
                      () -> new TreeMap<>(ByteString.unsignedLexicographicalComparator()),
                      Collectors.collectingAndThen(Collectors.toList(), RegionBatches::of))));
    }

    BatchShape shape(ByteString region, ByteString row) {
      if (conditional) {
        return CONDITIONAL;
      }
      RegionBatches batches = byRegion.get(region);
      return batches == null ? UNKNOWN : batches.shape(row);
    }
  }

  /**
   * The batches of a request for one region: a list of RowMutations is a batch for each of them.
   *
   * @param conditional the rows of batches with a condition; an empty row stands for any
   * @param atomic the rows of other batches that are applied as a whole, likewise
   * @param others the shape of the batch of any other row
   */
  private record RegionBatches(
      Set<ByteString> conditional, Set<ByteString> atomic, BatchShape others) {
    static RegionBatches of(List<RegionAction> batches) {
      Set<ByteString> conditional = new TreeSet<>(ByteString.unsignedLexicographicalComparator());
      Set<ByteString> atomic = new TreeSet<>(ByteString.unsignedLexicographicalComparator());
      List<RegionAction> ofEach = new ArrayList<>();
      for (RegionAction batch : batches) {
        if (batch.hasCondition()) {
          addRows(batch, conditional);
        } else if (batch.getAtomic()) {
          addRows(batch, atomic);
        } else {
          ofEach.add(batch);
        }
      }
      BatchShape others =
          ofEach.size() == 1 ? BatchShape.of(ofEach.get(0)) : ofEach.isEmpty() ? UNKNOWN : APART;
      return new RegionBatches(conditional, atomic, others);
    }

    /** Adds an empty row for a mutation without one. */
    private static void addRows(RegionAction batch, Set<ByteString> rows) {
      batch.getActionList().stream()
          .filter(Action::hasMutation)
          .forEach(action -> rows.add(action.getMutation().getRow()));
    }

    BatchShape shape(ByteString row) {
      return has(conditional, row) ? CONDITIONAL : has(atomic, row) ? UNKNOWN : others;
    }

    private static boolean has(Set<ByteString> rows, ByteString row) {
      return rows.contains(row) || rows.contains(ByteString.EMPTY);
    }
  }

  private static boolean callsService(RegionAction batch) {
    return batch.getActionList().stream().anyMatch(Action::hasServiceCall);
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
