package io.deli.client.internal.connect;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** {@code Table}'s deprecated builders, brought to {@link CheckAndMutate}. */
@SuppressWarnings("deprecation")
public final class BlockingCondition
    implements Table.CheckAndMutateBuilder, Table.CheckAndMutateWithFilterBuilder {
  private final Table table;
  private final ConditionBuilder condition;

  private BlockingCondition(Table table, ConditionBuilder condition) {
    this.table = table;
    this.condition = condition;
  }

  public static BlockingCondition on(Table table, byte[] row, byte[] family) {
    return new BlockingCondition(table, new ConditionBuilder(row, family));
  }

  public static BlockingCondition on(Table table, byte[] row, Filter filter) {
    return new BlockingCondition(table, new ConditionBuilder(row, filter));
  }

  @Override
  public BlockingCondition qualifier(byte[] qualifier) {
    condition.qualifier(qualifier);
    return this;
  }

  @Override
  public BlockingCondition timeRange(TimeRange timeRange) {
    condition.timeRange(timeRange);
    return this;
  }

  @Override
  public BlockingCondition ifNotExists() {
    condition.ifNotExists();
    return this;
  }

  @Override
  public BlockingCondition ifMatches(CompareOperator operator, byte[] value) {
    condition.ifMatches(operator, value);
    return this;
  }

  @Override
  public boolean thenPut(Put put) throws IOException {
    return then(condition.finish().build(put));
  }

  @Override
  public boolean thenDelete(Delete delete) throws IOException {
    return then(condition.finish().build(delete));
  }

  @Override
  public boolean thenMutate(RowMutations mutations) throws IOException {
    return then(condition.finish().build(mutations));
  }

  private boolean then(CheckAndMutate conditional) throws IOException {
    return table.checkAndMutate(conditional).isSuccess();
  }
}
