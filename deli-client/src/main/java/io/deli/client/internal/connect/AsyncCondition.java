package io.deli.client.internal.connect;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** {@code AsyncTable}'s deprecated builders, brought to {@link CheckAndMutate}. */
@SuppressWarnings("deprecation")
public final class AsyncCondition
    implements AsyncTable.CheckAndMutateBuilder, AsyncTable.CheckAndMutateWithFilterBuilder {
  private final AsyncTable<?> table;
  private final ConditionBuilder condition;

  private AsyncCondition(AsyncTable<?> table, ConditionBuilder condition) {
    this.table = table;
    this.condition = condition;
  }

  public static AsyncCondition on(AsyncTable<?> table, byte[] row, byte[] family) {
    return new AsyncCondition(table, new ConditionBuilder(row, family));
  }

  public static AsyncCondition on(AsyncTable<?> table, byte[] row, Filter filter) {
    return new AsyncCondition(table, new ConditionBuilder(row, filter));
  }

  @Override
  public AsyncCondition qualifier(byte[] qualifier) {
    condition.qualifier(qualifier);
    return this;
  }

  @Override
  public AsyncCondition timeRange(TimeRange timeRange) {
    condition.timeRange(timeRange);
    return this;
  }

  @Override
  public AsyncCondition ifNotExists() {
    condition.ifNotExists();
    return this;
  }

  @Override
  public AsyncCondition ifMatches(CompareOperator operator, byte[] value) {
    condition.ifMatches(operator, value);
    return this;
  }

  @Override
  public CompletableFuture<Boolean> thenPut(Put put) {
    return then(condition.finish().build(put));
  }

  @Override
  public CompletableFuture<Boolean> thenDelete(Delete delete) {
    return then(condition.finish().build(delete));
  }

  @Override
  public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
    return then(condition.finish().build(mutations));
  }

  private CompletableFuture<Boolean> then(CheckAndMutate conditional) {
    return IndexingAsyncTable.then(
        table.checkAndMutate(conditional), CheckAndMutateResult::isSuccess, Optional.empty());
  }
}
