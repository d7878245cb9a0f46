package io.deli.service;

import java.util.Optional;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The timestamp that a client drew for a mutation, which the base region admits or refuses.
 *
 * <p>It travels as an attribute of the mutation, and of each mutation within a {@code RowMutations}
 * or {@code CheckAndMutate}: one byte of flags, then the timestamp. Timestamps that an application
 * gave carry none, and a region server without this attribute ignores it.
 *
 * @param timestamp milliseconds since the epoch
 * @param atomic whether the mutation is one of several that are applied together or not at all
 * @param repeated whether an earlier timestamp of the same operation was refused, so that this one
 *     may lie a little ahead of the region server's clock, which is waited for
 */
public record DrawnTimestamp(long timestamp, boolean atomic, boolean repeated) {
  private static final String ATTRIBUTE = "deli.t";
  private static final int ATOMIC = 1;
  private static final int REPEATED = 2;
  private static final int LENGTH = 1 + Bytes.SIZEOF_LONG;

  /** The one that a mutation carries; empty if that has none, or one of another format. */
  public static Optional<DrawnTimestamp> of(Mutation mutation) {
    byte[] bytes = mutation.getAttribute(ATTRIBUTE);
    return bytes == null || bytes.length != LENGTH
        ? Optional.empty()
        : Optional.of(
            new DrawnTimestamp(
                Bytes.toLong(bytes, 1), (bytes[0] & ATOMIC) != 0, (bytes[0] & REPEATED) != 0));
  }

  /** Attaches the timestamp to a mutation. */
  public void setOn(Mutation mutation) {
    byte[] bytes = new byte[LENGTH];
    bytes[0] = (byte) ((atomic ? ATOMIC : 0) | (repeated ? REPEATED : 0));
    Bytes.putLong(bytes, 1, timestamp);
    mutation.setAttribute(ATTRIBUTE, bytes);
  }
}
