package io.deli.client.internal.connect;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;

/** {@code AsyncTable}'s deprecated builders, brought to {@link CheckAndMutate}. */
@SuppressWarnings("deprecation")
public final class AsyncCondition extends ConditionBuilder<AsyncCondition>
    implements AsyncTable.CheckAndMutateBuilder, AsyncTable.CheckAndMutateWithFilterBuilder {
  private final AsyncTable<?> table;

  /** Starts a condition on a column of the row. */
  public AsyncCondition(AsyncTable<?> table, byte[] row, byte[] family) {
    super(row, family);
    this.table = table;
  }

  /** Starts a condition on the whole row. */
  public AsyncCondition(AsyncTable<?> table, byte[] row, Filter filter) {
    super(row, filter);
    this.table = table;
  }

  @Override
  AsyncCondition self() {
    return this;
  }

  @Override
  public CompletableFuture<Boolean> thenPut(Put put) {
    return then(condition().build(put));
  }

  @Override
  public CompletableFuture<Boolean> thenDelete(Delete delete) {
    return then(condition().build(delete));
  }

  @Override
  public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
    return then(condition().build(mutations));
  }

  private CompletableFuture<Boolean> then(CheckAndMutate conditional) {
    return IndexingAsyncTable.then(
        table.checkAndMutate(conditional), CheckAndMutateResult::isSuccess, Optional.empty());
  }
}
