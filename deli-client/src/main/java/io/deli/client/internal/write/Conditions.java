package io.deli.client.internal.write;

import org.apache.hadoop.hbase.client.CheckAndMutate;

/** Copies of conditions. */
final class Conditions {
  private Conditions() {}

  /** The same condition, awaiting its action. */
  static CheckAndMutate.Builder copy(CheckAndMutate original) {
    CheckAndMutate.Builder copy =
        CheckAndMutate.newBuilder(original.getRow())
            .timeRange(original.getTimeRange())
            .queryMetricsEnabled(original.isQueryMetricsEnabled());
    return original.hasFilter()
        ? copy.ifMatches(original.getFilter())
        : copy.ifMatches(
            original.getFamily(),
            original.getQualifier(),
            original.getCompareOp(),
            original.getValue());
  }
}
