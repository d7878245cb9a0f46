package io.deli.client;

import io.deli.client.internal.connect.AsyncCondition;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.ForwardingAsyncTable;
import io.deli.client.internal.read.CurrentDefinitions;
import io.deli.client.internal.read.Lookups;
import io.deli.client.internal.write.Writer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * HBase's asynchronous table, with indexes kept on every write and reads by value.
 *
 * <p>Thread-safe. Nothing here blocks, so it is the caller who bounds how many operations are under
 * way. Futures complete on HBase's I/O threads: do not block in what you attach to them. For what a
 * write does, see {@link DeliTable}.
 */
@SuppressWarnings("InlineMeSuggester") // what is deprecated is HBase's
public final class AsyncDeliTable extends ForwardingAsyncTable {
  private final CurrentDefinitions definitions;
  private final Lookups lookups;
  private final Writer writer;

  AsyncDeliTable(Engine engine, TableName table) {
    super(engine.connection().getTable(table), engine.configuration());
    this.definitions = new CurrentDefinitions(engine.definitions(), table);
    this.lookups = engine.lookups();
    this.writer = engine.writer(table, List.of());
  }

  /**
   * One page of the hits of a query; fails as {@link DeliTable#readValue} throws. The hits that the
   * limit allows, unless the results end before; without a limit, some.
   */
  public CompletableFuture<ValuePage> readValue(ValueQuery query) {
    return definitions.query(known -> lookups.page(known, query));
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    return done(writer.write(valid(put)));
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return writer.write(valid(puts)).stream().map(AsyncDeliTable::done).toList();
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return done(writer.write(delete));
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return writer.write(deletes).stream().map(AsyncDeliTable::done).toList();
  }

  @Override
  public CompletableFuture<Result> append(Append append) {
    return answer(writer.write(append));
  }

  @Override
  public CompletableFuture<Result> increment(Increment increment) {
    return answer(writer.write(increment));
  }

  @Override
  public CompletableFuture<Result> mutateRow(RowMutations mutations) {
    return answer(writer.write(valid(mutations)));
  }

  @Override
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate conditional) {
    return answer(writer.write(valid(conditional)));
  }

  @Override
  public List<CompletableFuture<CheckAndMutateResult>> checkAndMutate(
      List<CheckAndMutate> conditionals) {
    return batch(conditionals);
  }

  @Override
  public <T> List<CompletableFuture<T>> batch(List<? extends Row> actions) {
    return writer.write(valid(actions)).stream().map(AsyncDeliTable::<T>answer).toList();
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return AsyncCondition.on(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return AsyncCondition.on(this, row, filter);
  }

  /** As HBase's, refuses an invalid Put at once, not through the future. */
  private <T extends Row> T valid(T operation) {
    writer.requireValid(operation);
    return operation;
  }

  private <T extends Row> List<T> valid(List<T> operations) {
    operations.forEach(writer::requireValid);
    return operations;
  }

  private static CompletableFuture<Void> done(CompletableFuture<Object> answer) {
    return answer.thenApply(result -> null);
  }

  @SuppressWarnings("unchecked")
  private static <T> CompletableFuture<T> answer(CompletableFuture<Object> answer) {
    return answer.thenApply(result -> (T) result);
  }
}
