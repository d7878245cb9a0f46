package io.deli.client.internal.read;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Failures;
import io.deli.client.internal.TableIndexes;
import io.deli.service.OutdatedDefinitionException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;

/** The definitions that queries of one table go by. Thread-safe. */
public final class CurrentDefinitions {
  private final DefinitionCache definitions;
  private final TableName table;

  public CurrentDefinitions(DefinitionCache definitions, TableName table) {
    this.definitions = definitions;
    this.table = table;
  }

  /**
   * Begins a query; once more by definitions that are read anew, if a region knows the index as
   * another. Fails with an {@link IndexUnavailableException} if it still does then.
   */
  public <T> CompletableFuture<T> query(Function<TableIndexes, CompletableFuture<T>> begin) {
    return definitions
        .get(table)
        .thenCompose(
            known ->
                begin
                    .apply(known)
                    .exceptionallyCompose(
                        error ->
                            isOutdated(error)
                                ? again(begin)
                                : CompletableFuture.failedFuture(error)));
  }

  private <T> CompletableFuture<T> again(Function<TableIndexes, CompletableFuture<T>> begin) {
    return definitions
        .refresh(table)
        .thenCompose(begin)
        .exceptionallyCompose(
            error ->
                CompletableFuture.failedFuture(isOutdated(error) ? unavailable(error) : error));
  }

  static boolean isOutdated(Throwable error) {
    return Failures.plain(error) instanceof OutdatedDefinitionException;
  }

  private IndexUnavailableException unavailable(Throwable error) {
    return new IndexUnavailableException(
        "an index of table %s is being changed: ask again".formatted(table), Failures.plain(error));
  }
}
