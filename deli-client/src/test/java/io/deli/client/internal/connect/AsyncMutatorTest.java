package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.TableClient;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A mutator of a table without index, to which requests with some rows wait for the test. */
class AsyncMutatorTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] NAME = {'f'};

  private final Configuration configuration = HBaseConfiguration.create();
  private final Map<String, CompletableFuture<Void>> gates =
      Map.of("a", new CompletableFuture<>(), "b", new CompletableFuture<>());
  private final List<String> sent = new ArrayList<>();
  private final AsyncBufferedMutator mutator =
      new AsyncMutatorBuilder(TABLE, configuration, table()).build();

  private CompletableFuture<Object[]> send(List<? extends Row> operations) {
    List<String> rows = operations.stream().map(row -> Bytes.toString(row.getRow())).toList();
    sent.addAll(rows);
    CompletableFuture<?>[] awaited =
        rows.stream()
            .map(gates::get)
            .filter(gate -> gate != null)
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(awaited)
        .thenApply(open -> Collections.nCopies(rows.size(), Result.EMPTY_RESULT).toArray());
  }

  @SuppressWarnings("unchecked") // a class literal has no type parameter
  private IndexingAsyncTableBuilder<ScanResultConsumer> table() {
    AsyncTable<ScanResultConsumer> plain = proxy(AsyncTable.class, Map.of());
    TableClient client = this::send;
    IndexedTableWriter writer = UnindexedTable.writer(TABLE, client);
    return new IndexingAsyncTableBuilder<ScanResultConsumer>(
        proxy(AsyncTableBuilder.class, Map.of("build", plain)),
        (made, settings) ->
            new IndexingAsyncTable<>(made, configuration, writer, Optional.empty()));
  }

  /** One whose methods return always the same, or else null. */
  private static <T> T proxy(Class<T> type, Map<String, ?> results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> results.get(method.getName())));
  }

  /** Sends a buffer of these rows. */
  private List<CompletableFuture<Void>> flush(String... rows) {
    List<CompletableFuture<Void>> answers =
        mutator.mutate(
            Stream.of(rows)
                .map(row -> new Put(Bytes.toBytes(row)).addColumn(NAME, NAME, NAME))
                .toList());
    mutator.flush();
    return answers;
  }

  @Test
  void aRowWaitsForItsOwnMutationsOnly() {
    List<CompletableFuture<Void>> first = flush("a");
    List<CompletableFuture<Void>> second = flush("b");
    List<CompletableFuture<Void>> third = flush("a", "b", "c", "a");
    assertThat(sent).containsExactly("a", "b", "c");
    assertThat(third.get(2)).isCompleted();
    gates.get("b").complete(null);
    assertThat(second).allMatch(CompletableFuture::isDone);
    assertThat(sent).containsExactly("a", "b", "c", "b");
    assertThat(third.get(1)).isCompleted();
    assertThat(third.get(0)).isNotDone();
    gates.get("a").complete(null);
    assertThat(sent).containsExactly("a", "b", "c", "b", "a", "a");
    assertThat(first).allMatch(CompletableFuture::isDone);
    assertThat(third).allMatch(CompletableFuture::isDone);
  }
}
