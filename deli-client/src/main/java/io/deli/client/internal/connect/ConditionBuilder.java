package io.deli.client.internal.connect;

import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** HBase's older way to a condition, step by step. */
final class ConditionBuilder {
  private final CheckAndMutate.Builder condition;
  private final byte[] family;
  private byte[] qualifier;
  private CompareOperator operator;
  private byte[] value;

  /** A condition on a column of the row. */
  ConditionBuilder(byte[] row, byte[] family) {
    this.condition = CheckAndMutate.newBuilder(row);
    this.family = Objects.requireNonNull(family, "family is null");
  }

  /** A condition on the whole row. */
  ConditionBuilder(byte[] row, Filter filter) {
    this.condition = CheckAndMutate.newBuilder(row).ifMatches(filter);
    this.family = null;
  }

  void qualifier(byte[] column) {
    qualifier = Objects.requireNonNull(column, "qualifier is null");
  }

  void timeRange(TimeRange range) {
    condition.timeRange(range);
  }

  void ifNotExists() {
    operator = CompareOperator.EQUAL;
    value = null;
  }

  void ifMatches(CompareOperator compareOperator, byte[] operand) {
    operator = Objects.requireNonNull(compareOperator, "compareOp is null");
    value = Objects.requireNonNull(operand, "value is null");
  }

  /** The condition, awaiting its action. */
  CheckAndMutate.Builder finish() {
    if (family == null) {
      return condition;
    }
    Objects.requireNonNull(
        operator, "condition is null: call ifNotExists, ifEquals or ifMatches before the action");
    return condition.ifMatches(family, qualifier, operator, value);
  }
}
