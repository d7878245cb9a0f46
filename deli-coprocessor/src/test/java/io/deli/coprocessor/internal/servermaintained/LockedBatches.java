package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.service.DrawnTimestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Mutations, with drawn timestamps or without, and batches of them whose rows are locked. */
final class LockedBatches {
  static final byte[] FAMILY = {'f'};

  private LockedBatches() {}

  static Put put(String row, String qualifier, long timestamp) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, Bytes.toBytes(qualifier), timestamp, Bytes.toBytes("v"));
  }

  static <M extends Mutation> M drawn(M mutation, long timestamp) {
    new DrawnTimestamp(timestamp, false, false).setOn(mutation);
    return mutation;
  }

  static Put drawn(String row, long timestamp) {
    return drawn(put(row, "q", timestamp), timestamp);
  }

  static Put atomic(String qualifier, long timestamp) {
    Put put = put("r", qualifier, timestamp);
    new DrawnTimestamp(timestamp, true, false).setOn(put);
    return put;
  }

  static Increment increment(String qualifier) {
    return new Increment(Bytes.toBytes("r")).addColumn(FAMILY, Bytes.toBytes(qualifier), 1);
  }

  /** The delete of the latest version, of which HBase has found the timestamp. */
  static Delete latest(String qualifier) {
    return new Delete(Bytes.toBytes("r")).addColumn(FAMILY, Bytes.toBytes(qualifier), 1_200);
  }

  static MiniBatchOperationInProgress<Mutation> batch(Mutation... mutations) {
    OperationStatus[] codes = new OperationStatus[mutations.length];
    Arrays.fill(codes, OperationStatus.NOT_RUN);
    return new MiniBatchOperationInProgress<>(
        mutations, codes, new WALEdit[mutations.length], 0, mutations.length, mutations.length);
  }

  static List<String> codes(MiniBatchOperationInProgress<Mutation> batch) {
    List<String> codes = new ArrayList<>();
    Refusal.answer(batch);
    for (int i = 0; i < batch.size(); i++) {
      codes.add(batch.getOperationStatus(i).getOperationStatusCode().name());
    }
    return codes;
  }
}
