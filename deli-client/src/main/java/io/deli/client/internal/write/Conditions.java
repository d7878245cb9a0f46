package io.deli.client.internal.write;

import io.deli.client.internal.NewerHBase;
import org.apache.hadoop.hbase.client.CheckAndMutate;

/** Copies of conditions. */
final class Conditions {
  private Conditions() {}

  /** The same condition, awaiting its action. */
  static CheckAndMutate.Builder copy(CheckAndMutate original) {
    CheckAndMutate.Builder copy =
        CheckAndMutate.newBuilder(original.getRow()).timeRange(original.getTimeRange());
    NewerHBase.copyMetrics(original, copy);
    return original.hasFilter()
        ? copy.ifMatches(original.getFilter())
        : copy.ifMatches(
            original.getFamily(),
            original.getQualifier(),
            original.getCompareOp(),
            original.getValue());
  }
}
