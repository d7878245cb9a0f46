package io.deli.client.internal.write;

import io.deli.client.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Sends by HBase's {@link AsyncTable}: one operation by its own call, several by a batch.
 *
 * @param lists receives the futures of each batch sent, and may complete them early
 */
record AsyncTableClient(AsyncTable<?> table, Consumer<List<? extends CompletableFuture<?>>> lists)
    implements TableClient {
  @Override
  public CompletableFuture<Object[]> send(List<? extends Row> operations) {
    return Call.together(operations, this::sendCalls);
  }

  /** Sends calls, of which each is answered by itself. */
  void sendCalls(List<Call> calls) {
    List<? extends CompletableFuture<?>> sent;
    try {
      sent =
          calls.size() == 1
              ? List.of(single(calls.get(0).operation()))
              : table.batch(calls.stream().map(Call::operation).toList());
    } catch (RuntimeException e) {
      calls.forEach(call -> call.answered(null, e));
      return;
    }
    for (int i = 0; i < sent.size(); i++) {
      answer(calls.get(i), sent.get(i));
    }
    if (calls.size() != 1) {
      lists.accept(sent);
    }
  }

  private static void answer(Call call, CompletableFuture<?> sent) {
    FutureUtils.addListener(
        sent,
        (result, error) -> {
          if (error == null) {
            // A single Put or Delete has no result.
            call.answered(result == null ? Result.EMPTY_RESULT : result, null);
          } else {
            call.answered(null, Futures.unwrap(error));
          }
        });
  }

  private CompletableFuture<?> single(Row operation) {
    if (operation instanceof Put put) {
      return table.put(put);
    }
    if (operation instanceof Delete delete) {
      return table.delete(delete);
    }
    if (operation instanceof RowMutations mutations) {
      return table.mutateRow(mutations);
    }
    if (operation instanceof CheckAndMutate conditional) {
      return table.checkAndMutate(conditional);
    }
    if (operation instanceof Increment increment) {
      return table.increment(increment);
    }
    if (operation instanceof Append append) {
      return table.append(append);
    }
    if (operation instanceof Get get) {
      return table.get(get);
    }
    return table.batch(List.of(operation)).get(0);
  }
}
