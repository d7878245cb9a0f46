package io.deli.client.internal.write;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

/** HBase's own client: one request for one operation, a batch for several. */
final class TablePort implements Port {
  private final AsyncTable<?> table;

  TablePort(AsyncTable<?> table) {
    this.table = table;
  }

  @Override
  public CompletableFuture<Object> send(Row operation) {
    try {
      return single(operation);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public List<CompletableFuture<Object>> send(List<? extends Row> operations) {
    try {
      return table.batch(operations);
    } catch (RuntimeException e) {
      return Collections.nCopies(operations.size(), CompletableFuture.failedFuture(e));
    }
  }

  private CompletableFuture<Object> single(Row operation) {
    if (operation instanceof Put put) {
      return table.put(put).thenApply(done -> Result.EMPTY_RESULT);
    }
    if (operation instanceof Delete delete) {
      return table.delete(delete).thenApply(done -> Result.EMPTY_RESULT);
    }
    if (operation instanceof RowMutations mutations) {
      return generic(table.mutateRow(mutations));
    }
    if (operation instanceof CheckAndMutate conditional) {
      return generic(table.checkAndMutate(conditional));
    }
    if (operation instanceof Increment increment) {
      return generic(table.increment(increment));
    }
    if (operation instanceof Append append) {
      return generic(table.append(append));
    }
    if (operation instanceof Get get) {
      return generic(table.get(get));
    }
    return table.<Object>batch(List.of(operation)).get(0);
  }

  private static <T> CompletableFuture<Object> generic(CompletableFuture<T> answer) {
    return answer.thenApply(Object.class::cast);
  }
}
