package io.deli.test.fault;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** What may befall an operation on its way to a table. */
public enum Fault {
  NONE,
  /** It never arrives, and the client gives up. */
  LOST,
  /** It is applied, but its answer does not come back. */
  UNANSWERED,
  /** It takes long. */
  DELAYED,
  /** The client gives up, and it arrives afterwards. */
  LATE,
  /** The first answer is lost, so HBase's client sends it once more; that answer comes back. */
  REPEATED,
  /** Its user may not. */
  DENIED,
  /** Refused until the client gives up: the region is nowhere. */
  NOT_SERVING,
  /** Refused until the client gives up: the region's memory is full. */
  TOO_BUSY,
  /** Refused until the client gives up: the server's queue is full. */
  QUEUE_FULL,
  /** Answered as done, but never done: nobody does that, and tests must notice. */
  PRETENDED,
  /** Answered as done before it is: nobody does that, and tests must notice. */
  PREMATURE;

  /** Those that DELI must stand, all but the last two. */
  public static Set<Fault> honest() {
    return EnumSet.range(LOST, QUEUE_FULL);
  }

  /** What the client is told. */
  IOException error(Way way) {
    String what = "injected on %s: %s".formatted(way, this);
    return switch (this) {
      case DENIED -> new AccessDeniedException(what);
      case NOT_SERVING -> exhausted(new NotServingRegionException(what));
      case TOO_BUSY -> exhausted(new RegionTooBusyException(what));
      case QUEUE_FULL -> exhausted(new CallQueueTooBigException(what));
      default -> new IOException(what);
    };
  }

  private static IOException exhausted(IOException refusal) {
    return new RetriesExhaustedException(refusal.getMessage(), refusal);
  }
}
