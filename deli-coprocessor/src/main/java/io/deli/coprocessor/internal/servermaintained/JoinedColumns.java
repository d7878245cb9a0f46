package io.deli.coprocessor.internal.servermaintained;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.strategy.Index;
import io.deli.strategy.JoinedWrites;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Refuses mutations that would pair versions of several columns which were not written together,
 * also of writers that do not know the index, or not yet.
 *
 * @param indexes on several columns
 */
record JoinedColumns(Region region, List<Index> indexes) {
  /**
   * Has such mutations of a batch fail.
   *
   * @throws FailedSanityCheckException if there is one in an atomic batch
   */
  void admit(MiniBatchOperationInProgress<Mutation> batch) throws FailedSanityCheckException {
    for (Index index : indexes) {
      for (int i = 0; i < batch.size(); i++) {
        Mutation mutation = batch.getOperation(i);
        Optional<String> refusal =
            Refusal.isPending(batch, i) ? JoinedWrites.refusal(index, mutation) : Optional.empty();
        if (refusal.isPresent()) {
          Refusal.refuse(region, batch, i, refusal.get());
        }
      }
    }
  }
}
