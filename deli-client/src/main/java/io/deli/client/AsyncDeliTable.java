package io.deli.client;

import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.IndexingAsyncTable;
import io.deli.client.internal.read.CurrentDefinitions;
import io.deli.client.internal.read.QueryEngine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;

/**
 * HBase's asynchronous table, with indexes kept on every write and reads by value.
 *
 * <p>Thread-safe. Nothing here blocks, so it is the caller who bounds how many operations are under
 * way. Futures complete on HBase's I/O threads: do not block in what you attach to them. For what a
 * write does, see {@link DeliTable}.
 */
public final class AsyncDeliTable extends IndexingAsyncTable<AdvancedScanResultConsumer> {
  private final CurrentDefinitions definitions;
  private final QueryEngine queries;

  /**
   * @param table that reads go to
   * @param settings of it, for the tables that the engine sends to
   */
  AsyncDeliTable(
      Engine engine,
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Consumer<AsyncTableBuilder<?>>> settings) {
    super(
        table, engine.configuration(), engine.writer(table.getName(), settings), Optional.empty());
    this.definitions = engine.definitions(table.getName());
    this.queries = engine.queries().with(settings);
  }

  /**
   * Returns one page of the hits of a query; fails as {@link DeliTable#readValue} throws. Each
   * request keeps to the settings of this table, as in {@link DeliTable#readValue}; a scan to the
   * time-out of operations, too.
   *
   * <p>With a limit, the page holds as many hits, or all that there are. Without one, it holds what
   * one read gave, which may be little. In both cases the next page is that of {@code
   * query.from(page.continuation().get())}, and the hits have ended when {@link
   * ValuePage#continuation} is empty. A query whose future is cancelled sends no further requests.
   */
  public CompletableFuture<ValuePage> readValue(ValueQuery query) {
    return queries.page(definitions, query);
  }
}
