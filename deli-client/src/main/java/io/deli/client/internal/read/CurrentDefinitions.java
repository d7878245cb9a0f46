package io.deli.client.internal.read;

import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.Futures;
import io.deli.client.internal.KnownIndexes;
import io.deli.service.OutdatedDefinitionException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;

/**
 * Supplies the definitions for queries of one table. Thread-safe.
 *
 * @param known definitions no older than their lease
 */
public record CurrentDefinitions(
    TableName table,
    Supplier<CompletableFuture<KnownIndexes>> known,
    Supplier<CompletableFuture<KnownIndexes>> readAnew) {
  public CurrentDefinitions(DefinitionCache definitions, TableName table) {
    this(table, () -> definitions.get(table), () -> definitions.refresh(table));
  }

  /** Returns the same, waited for no longer than the settings of the table allow. */
  CurrentDefinitions boundedBy(ReadTables tables) {
    return new CurrentDefinitions(
        table, () -> tables.bounded(table, get()), () -> tables.bounded(table, refresh()));
  }

  /** Returns definitions no older than their lease. */
  CompletableFuture<KnownIndexes> get() {
    return known.get();
  }

  /** Reads the definitions again. */
  CompletableFuture<KnownIndexes> refresh() {
    return readAnew.get();
  }

  /**
   * Answers a query; once more by definitions that are read anew, if these seem to have changed.
   * Fails with an {@link IndexUnavailableException} if they still do then.
   */
  <T> CompletableFuture<T> query(Function<KnownIndexes, CompletableFuture<T>> begin) {
    return get()
        .thenCompose(
            first ->
                begin
                    .apply(first)
                    .exceptionallyCompose(
                        error ->
                            isOutdated(error)
                                ? again(begin)
                                : CompletableFuture.failedFuture(error)));
  }

  private <T> CompletableFuture<T> again(Function<KnownIndexes, CompletableFuture<T>> begin) {
    return refresh()
        .thenCompose(
            now ->
                begin
                    .apply(now)
                    .exceptionallyCompose(
                        error ->
                            CompletableFuture.failedFuture(
                                isOutdated(error) ? unavailable(now, error) : error)));
  }

  /**
   * Whether a failure may come of it that the definitions have changed, as if the index was created
   * or enabled since.
   */
  static boolean isOutdated(Throwable error) {
    Throwable plain = Futures.unwrap(error);
    return plain instanceof OutdatedDefinitionException
        || plain instanceof IndexUnavailableException;
  }

  /**
   * The error for whoever asked, if definitions that were just read do not help.
   *
   * @param error that says they should have changed; null if they change too often
   */
  static Throwable unavailable(KnownIndexes current, Throwable error) {
    Throwable plain = error == null ? null : Futures.unwrap(error);
    return plain instanceof IndexUnavailableException
        ? plain
        : new IndexUnavailableException(
            "an index of table %s is being changed. Run the query again.".formatted(current.base()),
            plain);
  }
}
