package io.deli.client.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Caches the index definitions of the tables that a client writes and queries. Thread-safe. */
public final class DefinitionCache {
  private final Function<TableName, CompletableFuture<TableDescriptor>> source;
  private final long lifeNanos;
  private final LongSupplier ticker;
  private final ConcurrentMap<TableName, CachedDefinitions> tables = new ConcurrentHashMap<>();

  /**
   * An empty cache.
   *
   * @param lifeMillis no definitions older than this are given out
   * @param ticker elapsed time in nanoseconds from any origin
   */
  public DefinitionCache(
      Function<TableName, CompletableFuture<TableDescriptor>> source,
      long lifeMillis,
      LongSupplier ticker) {
    this.source = source;
    this.lifeNanos = TimeUnit.MILLISECONDS.toNanos(lifeMillis);
    this.ticker = ticker;
  }

  /**
   * Returns the indexes of a table.
   *
   * @return fails with {@link io.deli.client.IndexUnavailableException} if a definition is
   *     unreadable, as HBase does if the table is missing, and with an {@link java.io.IOException}
   *     if what is known is too old and nobody tells anything newer
   */
  public CompletableFuture<KnownIndexes> get(TableName table) {
    return known(table).get();
  }

  /** Reads the definitions of a table again, after a sign that they have changed. */
  public CompletableFuture<KnownIndexes> refresh(TableName table) {
    return known(table).readAnew();
  }

  private CachedDefinitions known(TableName table) {
    return tables.computeIfAbsent(
        table, name -> new CachedDefinitions(() -> source.apply(name), lifeNanos, ticker));
  }
}
