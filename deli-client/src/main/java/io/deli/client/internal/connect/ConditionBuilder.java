package io.deli.client.internal.connect;

import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/**
 * Builds a {@link CheckAndMutate} by the steps of HBase's deprecated builders.
 *
 * @param <B> the builder's own type
 */
public abstract class ConditionBuilder<B extends ConditionBuilder<B>> {
  private final CheckAndMutate.Builder condition;
  private final byte[] family;
  private byte[] qualifier;
  private CompareOperator operator;
  private byte[] value;

  /** Starts a condition on a column of the row. */
  ConditionBuilder(byte[] row, byte[] family) {
    this.condition = CheckAndMutate.newBuilder(row);
    this.family = Objects.requireNonNull(family, "family is null");
  }

  /** Starts a condition on the whole row. */
  ConditionBuilder(byte[] row, Filter filter) {
    this.condition = CheckAndMutate.newBuilder(row).ifMatches(filter);
    this.family = null;
  }

  abstract B self();

  public B qualifier(byte[] column) {
    qualifier = Objects.requireNonNull(column, "qualifier is null");
    return self();
  }

  public B timeRange(TimeRange range) {
    condition.timeRange(range);
    return self();
  }

  public B ifNotExists() {
    operator = CompareOperator.EQUAL;
    value = null;
    return self();
  }

  public B ifMatches(CompareOperator compareOperator, byte[] operand) {
    operator = Objects.requireNonNull(compareOperator, "compareOp is null");
    value = Objects.requireNonNull(operand, "value is null");
    return self();
  }

  /** Returns the condition without its action. */
  final CheckAndMutate.Builder condition() {
    if (family == null) {
      return condition;
    }
    Objects.requireNonNull(
        operator, "condition is null: call ifNotExists, ifEquals or ifMatches before the action");
    return condition.ifMatches(family, qualifier, operator, value);
  }
}
