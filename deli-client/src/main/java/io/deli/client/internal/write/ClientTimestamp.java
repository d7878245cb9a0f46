package io.deli.client.internal.write;

import io.deli.service.DrawnTimestamp;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * A timestamp that this client assigned to an operation.
 *
 * @param timestamp milliseconds since the epoch
 * @param shift the part of it that is not the oracle's
 * @param refusals how many earlier ones of the operation the base region has refused
 */
record ClientTimestamp(long timestamp, long shift, int refusals) {
  static ClientTimestamp of(WriteContext context, byte[] row) {
    long shift = context.shift().get();
    return new ClientTimestamp(context.oracle().next(row) + shift, shift, 0);
  }

  /** Returns the timestamp that replaces this one after its refusal. */
  ClientTimestamp then(long next) {
    return new ClientTimestamp(next, next - timestamp + shift, refusals + 1);
  }

  /** Attaches the timestamp to the mutation, for the base region to admit or refuse. */
  void setOn(Mutation mutation, boolean atomic) {
    new DrawnTimestamp(timestamp, atomic, refusals > 0).setOn(mutation);
  }
}
