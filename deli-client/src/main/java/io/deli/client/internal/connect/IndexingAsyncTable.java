package io.deli.client.internal.connect;

import io.deli.client.IndexUnavailableException;
import io.deli.client.WriteRefusedException;
import io.deli.client.internal.Futures;
import io.deli.client.internal.write.IndexedTableWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * An asynchronous table whose writes keep indexes. Thread-safe; never blocks.
 *
 * <p>As with HBase's own, an invalid Put is refused at once, and a future fails with the error
 * itself, not wrapped into another; but one of a list, if it is HBase's, with {@link
 * RetriesExhaustedException}.
 */
@SuppressWarnings("InlineMeSuggester") // what is deprecated is HBase's
public class IndexingAsyncTable<C extends ScanResultConsumerBase> extends ForwardingAsyncTable<C> {
  private final IndexedTableWriter writer;
  private final Optional<Executor> pool;

  /**
   * A table over one of HBase's.
   *
   * @param table that reads go to
   * @param pool in which futures are completed; if empty, by HBase's I/O threads
   */
  public IndexingAsyncTable(
      AsyncTable<C> table,
      Configuration configuration,
      IndexedTableWriter writer,
      Optional<Executor> pool) {
    super(table, configuration);
    this.writer = writer;
    this.pool = pool;
  }

  final IndexedTableWriter writer() {
    return writer;
  }

  @Override
  public CompletableFuture<Void> put(Put put) {
    return done(writer.write(valid(put)));
  }

  @Override
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return writer.write(valid(puts)).stream().map(this::doneInList).toList();
  }

  @Override
  public CompletableFuture<Void> delete(Delete delete) {
    return done(writer.write(delete));
  }

  @Override
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return writer.write(deletes).stream().map(this::doneInList).toList();
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
    return IndexedTableWriter.areReads(actions)
        ? table.batch(actions)
        : writer.write(valid(actions)).stream().map(this::<T>answerInList).toList();
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new AsyncCondition(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new AsyncCondition(this, row, filter);
  }

  private <T extends Row> T valid(T operation) {
    writer.requireValid(operation);
    return operation;
  }

  private <T extends Row> List<T> valid(List<T> operations) {
    operations.forEach(writer::requireValid);
    return operations;
  }

  private CompletableFuture<Void> done(CompletableFuture<Object> answer) {
    return then(answer, result -> null, pool);
  }

  final CompletableFuture<Void> doneInList(CompletableFuture<Object> answer) {
    return then(answer, result -> null, IndexingAsyncTable::inList, pool);
  }

  @SuppressWarnings("unchecked")
  private <T> CompletableFuture<T> answer(CompletableFuture<Object> answer) {
    return then(answer, result -> (T) result, pool);
  }

  @SuppressWarnings("unchecked")
  private <T> CompletableFuture<T> answerInList(CompletableFuture<Object> answer) {
    return then(answer, result -> (T) result, IndexingAsyncTable::inList, pool);
  }

  /** Wraps a failure of HBase's as it does in lists, of however many. */
  private static Throwable inList(Throwable error) {
    return error instanceof DoNotRetryIOException refused
            && !(error instanceof WriteRefusedException
                || error instanceof IndexUnavailableException)
        ? new RetriesExhaustedException(refused.getMessage(), refused)
        : error;
  }

  static <A, T> CompletableFuture<T> then(
      CompletableFuture<A> answer, Function<A, T> result, Optional<Executor> pool) {
    return then(answer, result, error -> error, pool);
  }

  /**
   * Returns the future for the caller. It is not a dependent future: that would fail with a {@link
   * java.util.concurrent.CompletionException} where HBase's fails with the error itself. Who
   * cancels it, or has it time out, does so to the answer.
   */
  private static <A, T> CompletableFuture<T> then(
      CompletableFuture<A> answer,
      Function<A, T> result,
      UnaryOperator<Throwable> failure,
      Optional<Executor> pool) {
    CompletableFuture<T> given = new CompletableFuture<>();
    BiConsumer<A, Throwable> give =
        (found, error) -> {
          if (error == null) {
            given.complete(result.apply(found));
          } else {
            given.completeExceptionally(failure.apply(Futures.unwrap(error)));
          }
        };
    CompletableFuture<A> ended =
        pool.isPresent() ? answer.whenCompleteAsync(give, pool.get()) : answer.whenComplete(give);
    CompletableFuture<A> unused =
        ended.whenComplete(
            (found, error) -> {
              if (error != null) {
                // Of a pool, too, that has been shut down and takes nothing.
                given.completeExceptionally(Futures.unwrap(error));
              }
            });
    FutureUtils.addListener(given, (found, error) -> answer.cancel(false));
    return given;
  }
}
