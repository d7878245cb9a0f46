package io.deli.coprocessor.internal.send;

import com.google.protobuf.Message;
import com.google.protobuf.RpcChannel;
import io.deli.entry.Entry;
import io.deli.index.IndexTableName;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks the base tables of indexes. Thread-safe; never blocks. */
public class BaseTables {
  private final Supplier<CompletableFuture<AsyncConnection>> connection;

  public BaseTables(Supplier<CompletableFuture<AsyncConnection>> connection) {
    this.connection = connection;
  }

  /** The index that is read from a table; empty if its base table has none such, or is gone. */
  public CompletableFuture<Optional<Index>> indexOf(TableName table) {
    CompletableFuture<Optional<Index>> found = CompletableFuture.completedFuture(Optional.empty());
    for (IndexTableName reading : IndexTableName.readings(table)) {
      found =
          found.thenCompose(
              earlier ->
                  earlier.isPresent()
                      ? CompletableFuture.completedFuture(earlier)
                      : descriptor(reading.base()).thenApply(base -> indexOf(table, base)));
    }
    return found;
  }

  private CompletableFuture<Optional<TableDescriptor>> descriptor(TableName base) {
    return connection
        .get()
        .thenCompose(open -> open.getAdmin().listTableDescriptors(List.of(base)))
        .thenApply(found -> found.stream().findFirst());
  }

  private static Optional<Index> indexOf(TableName table, Optional<TableDescriptor> base) {
    return base.stream()
        .flatMap(
            of ->
                IndexDefinitions.of(of).stream()
                    .filter(definition -> definition.state().maintained())
                    .filter(
                        definition ->
                            IndexDefinitions.indexTable(of.getTableName(), definition)
                                .filter(table::equals)
                                .isPresent())
                    .map(definition -> Index.of(of.getTableName(), definition)))
        .findFirst();
  }

  /**
   * Returns those of some entries of an index that its base table cannot justify, and no writer is
   * about to.
   *
   * @return fails if a region does not answer in time, or cannot tell
   */
  public CompletableFuture<Set<Entry>> stale(Index index, List<Entry> entries, long timeoutMillis) {
    return connection
        .get()
        .thenCompose(
            open ->
                byRegion(open.getRegionLocator(index.baseTable()), entries)
                    .thenCompose(
                        parts ->
                            stale(
                                TableDeleteSender.table(open, index.baseTable(), timeoutMillis),
                                index,
                                List.copyOf(parts.values()))));
  }

  private static CompletableFuture<Map<byte[], List<Entry>>> byRegion(
      AsyncTableRegionLocator regions, List<Entry> entries) {
    List<CompletableFuture<HRegionLocation>> locations =
        entries.stream().map(entry -> regions.getRegionLocation(entry.key())).toList();
    return CompletableFuture.allOf(locations.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> {
              Map<byte[], List<Entry>> parts = new TreeMap<>(Bytes.BYTES_COMPARATOR);
              for (int i = 0; i < entries.size(); i++) {
                byte[] region = locations.get(i).join().getRegion().getStartKey();
                parts.computeIfAbsent(region, start -> new ArrayList<>()).add(entries.get(i));
              }
              return parts;
            });
  }

  private static CompletableFuture<Set<Entry>> stale(
      AsyncTable<?> base, Index index, List<List<Entry>> parts) {
    List<CompletableFuture<List<Entry>>> answers =
        parts.stream().map(part -> staleOfRegion(base, index, part)).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> {
              Set<Entry> stale = new HashSet<>();
              answers.forEach(answer -> stale.addAll(answer.join()));
              return stale;
            });
  }

  private static CompletableFuture<List<Entry>> staleOfRegion(
      AsyncTable<?> base, Index index, List<Entry> part) {
    Message request =
        new RegionService.Entries(index.name(), index.definition().generation(), part).toMessage();
    Message prototype = RegionService.prototype(RegionService.STALE.getOutputType());
    return base.<RpcChannel, Message>coprocessorService(
            channel -> channel,
            (channel, controller, done) ->
                channel.callMethod(RegionService.STALE, controller, request, prototype, done),
            part.get(0).key())
        .thenApply(answer -> RegionService.positions(answer).stream().map(part::get).toList());
  }
}
