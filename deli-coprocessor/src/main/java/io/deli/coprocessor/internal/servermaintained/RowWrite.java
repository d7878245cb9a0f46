package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;

/**
 * The part of a batch that one row takes at once: a mutation, if each of the batch succeeds or
 * fails by itself; otherwise all of the row.
 *
 * @param position of the first mutation in the batch
 */
record RowWrite(int position, List<Mutation> mutations) {
  /** All of a batch that is still to be applied, in its order. */
  static List<RowWrite> of(MiniBatchOperationInProgress<Mutation> batch, boolean ofEach) {
    List<RowWrite> writes = new ArrayList<>(batch.size());
    Map<ByteBuffer, RowWrite> byRow = new LinkedHashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      if (Refusal.isPending(batch, i)) {
        Mutation mutation = batch.getOperation(i);
        if (ofEach || batch.size() == 1) {
          writes.add(new RowWrite(i, List.of(mutation)));
        } else {
          int first = i;
          byRow
              .computeIfAbsent(
                  ByteBuffer.wrap(mutation.getRow()), row -> new RowWrite(first, new ArrayList<>()))
              .mutations()
              .add(mutation);
        }
      }
    }
    writes.addAll(byRow.values());
    return writes;
  }

  /**
   * The mutations of an atomic batch that are computed and done already: before, as HBase knows by
   * the nonce of a batch that is repeated; or by another coprocessor, in a batch that may be new.
   */
  static List<Mutation> computed(MiniBatchOperationInProgress<Mutation> batch) {
    return IntStream.range(0, batch.size())
        .filter(i -> isDone(batch.getOperationStatus(i)))
        .mapToObj(batch::getOperation)
        .filter(RowTimestamps::isComputed)
        .toList();
  }

  /** The mutations of a conditional write that HBase computes from what the row holds. */
  static List<Mutation> computed(CheckAndMutate conditional) {
    return mutations(conditional).stream().filter(RowTimestamps::isComputed).toList();
  }

  static List<Mutation> mutations(CheckAndMutate conditional) {
    return conditional.getAction() instanceof RowMutations several
        ? several.getMutations()
        : List.of((Mutation) conditional.getAction());
  }

  private static boolean isDone(OperationStatus status) {
    return status.getOperationStatusCode() == OperationStatusCode.SUCCESS;
  }

  /** Whether a delete may be the batch's own. */
  static boolean deletes(MiniBatchOperationInProgress<Mutation> batch) {
    return IntStream.range(0, batch.size()).anyMatch(i -> batch.getOperation(i) instanceof Delete);
  }

  byte[] row() {
    return mutations.get(0).getRow();
  }

  /** Whether HBase computes one of the mutations from what the row holds. */
  boolean isComputed() {
    return mutations.stream().anyMatch(RowTimestamps::isComputed);
  }

  /** The cells that are as the writer gave them, and not computed from what the row holds. */
  List<Cell> cells() {
    return mutations.stream()
        .filter(mutation -> !RowTimestamps.isComputed(mutation))
        .flatMap(RowWrite::cellsOf)
        .toList();
  }

  static Stream<Cell> cellsOf(Mutation mutation) {
    return mutation.getFamilyCellMap().values().stream().flatMap(List::stream);
  }
}
