package io.deli.client.internal;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** What this client knows of the tables it writes and queries. Thread-safe. */
public final class DefinitionCache {
  private final Function<TableName, CompletableFuture<TableDescriptor>> source;
  private final long refreshMillis;
  private final InstantSource clock;
  private final ConcurrentMap<TableName, KnownDefinitions> tables = new ConcurrentHashMap<>();

  /**
   * An empty cache.
   *
   * @param refreshMillis no definitions older than this are given out, while newer ones can be had
   */
  public DefinitionCache(
      Function<TableName, CompletableFuture<TableDescriptor>> source,
      long refreshMillis,
      InstantSource clock) {
    this.source = source;
    this.refreshMillis = refreshMillis;
    this.clock = clock;
  }

  /**
   * The indexes of a table.
   *
   * @return fails with {@link io.deli.client.IndexUnavailableException} if a definition is
   *     unreadable, and as HBase does if the table is missing
   */
  public CompletableFuture<TableIndexes> get(TableName table) {
    return known(table).get();
  }

  /** Reads the definitions of a table now, as after a sign that they have changed. */
  public CompletableFuture<TableIndexes> refresh(TableName table) {
    return known(table).read();
  }

  private KnownDefinitions known(TableName table) {
    return tables.computeIfAbsent(
        table, name -> new KnownDefinitions(() -> source.apply(name), refreshMillis, clock));
  }
}
