package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.internal.Unconnected;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.junit.jupiter.api.Test;

class IndexingAsyncTableTest {
  private final Configuration configuration = HBaseConfiguration.create();

  /** Nobody tells these. */
  @Test
  @SuppressWarnings("unchecked") // a class literal has no type parameter
  void batch_getsAlone_needNoDefinitions() throws Exception {
    AsyncTable<ScanResultConsumer> plain =
        (AsyncTable<ScanResultConsumer>)
            Proxy.newProxyInstance(
                AsyncTable.class.getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (self, method, arguments) ->
                    List.of(CompletableFuture.completedFuture(Result.EMPTY_RESULT)));
    Engine engine =
        Engine.on(
            Unconnected.open(configuration), configuration, Wiring.of(configuration), table -> {});
    try {
      IndexingAsyncTable<ScanResultConsumer> table =
          new IndexingAsyncTable<>(
              plain,
              configuration,
              engine.writer(TableName.valueOf("t"), List.of()),
              Optional.empty());
      assertThat(table.<Result>batch(List.of(new Get(new byte[] {'r'}))))
          .extracting(answer -> answer.getNow(null))
          .containsExactly(Result.EMPTY_RESULT);
    } finally {
      engine.close();
    }
  }

  @Test
  void aFutureThatIsCancelledCancelsTheWrite() {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    CompletableFuture<Object> given =
        IndexingAsyncTable.then(answer, result -> result, Optional.empty());
    assertThat(given.cancel(false)).isTrue();
    assertThat(answer).isCancelled();
  }
}
