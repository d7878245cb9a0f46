package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAsyncConnection;
import io.deli.client.ValueQuery;
import io.deli.client.WriteRefusedException;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An asynchronous connection that is DELI's by configuration. */
class AsyncConnectionTest {
  private static final Path SITE =
      Path.of(System.getProperty("deli.root"), "conf", "client", "hbase-site.xml");
  private static final String THREAD = "the-application's-own";
  private static final int THREADS = 2;
  private static ExecutorService pool;
  private static AsyncConnection connection;

  @BeforeAll
  static void connect() throws Exception {
    pool = Executors.newFixedThreadPool(THREADS, work -> new Thread(work, THREAD));
    connection = ConnectionFactory.createAsyncConnection(configuration()).get();
  }

  @AfterAll
  static void disconnect() throws IOException {
    connection.close();
    pool.shutdown();
  }

  /** As a client that reads the one file that names DELI's classes. */
  private static Configuration configuration() {
    Configuration configuration = MiniCluster.configuration();
    configuration.addResource(new org.apache.hadoop.fs.Path(SITE.toUri()));
    // Read repair is left the entries of a false condition if the answer comes later than that.
    configuration.setInt(HConstants.HBASE_CLIENT_PAUSE, 10_000);
    return configuration;
  }

  private static Increment increment(String row) {
    return new Increment(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, 1);
  }

  private static <T> T await(CompletableFuture<T> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  private static void awaitAll(List<? extends CompletableFuture<?>> answers) throws Exception {
    await(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)));
  }

  @Test
  void aProgramThatKnowsNothingOfDeliKeepsIndexes() throws Exception {
    try (var source =
        UnmodifiedAsyncProgram.class.getResourceAsStream("UnmodifiedAsyncProgram.class")) {
      assertThat(new String(source.readAllBytes(), StandardCharsets.ISO_8859_1))
          .as("it refers to no class of DELI's client")
          .doesNotContain("io/deli/client");
    }
    TestTable written = TestTable.create("unmodified_async", 2);
    UnmodifiedAsyncProgram.run(configuration(), written.name());
    assertThat(written.justified()).hasSize(UnmodifiedAsyncProgram.ROWS);
    assertThat(written.entries()).hasSize(UnmodifiedAsyncProgram.ROWS + 1);
    written.assertIndexed();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("deprecation") // is among the methods
  void everyMethodThatWritesKeepsTheIndex(boolean pooled) throws Exception {
    TestTable written = TestTable.create("async_methods", 3);
    AsyncTable<?> table =
        pooled ? connection.getTable(written.name(), pool) : connection.getTable(written.name());
    await(table.put(put("a", "1")));
    await(table.putAll(List.of(put("b", "1"), put("c", "1"))));
    awaitAll(table.put(List.of(put("d", "1"), put("e", "1"))));
    await(table.delete(new Delete(Bytes.toBytes("a"))));
    await(table.deleteAll(List.of(new Delete(Bytes.toBytes("b")))));
    awaitAll(table.delete(List.of(new Delete(Bytes.toBytes("c")))));
    await(table.mutateRow(RowMutations.of(List.of(put("f", "1")))));
    List<Row> actions = List.of(put("g", "1"), new Get(Bytes.toBytes("d")));
    assertThat(await(table.batchAll(actions))).hasSize(2);
    assertThat(await(table.checkAndMutate(ifOne("d").build(put("d", "2")))).isSuccess()).isTrue();
    assertThat(await(table.checkAndMutateAll(List.of(ifOne("d").build(put("d", "3"))))))
        .noneMatch(result -> result.isSuccess());
    assertThat(
            await(
                table
                    .checkAndMutate(Bytes.toBytes("e"), FAMILY)
                    .qualifier(QUALIFIER)
                    .ifEquals(Bytes.toBytes("1"))
                    .thenPut(put("e", "2"))))
        .isTrue();
    assertThatThrownBy(() -> await(table.increment(increment("g"))))
        .hasCauseInstanceOf(DoNotRetryIOException.class);
    assertThat(written.justified()).as("versions").hasSize(6);
    Eventually.holds(written::assertIndexed);
  }

  private static CheckAndMutate.Builder ifOne(String row) {
    return CheckAndMutate.newBuilder(Bytes.toBytes(row))
        .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("1"));
  }

  @Test
  void itsTablesReadByValue() throws Exception {
    TestTable written = TestTable.create("async_reads", 1);
    AsyncTable<?> table =
        connection.getTableBuilder(written.name()).setScanTimeout(9, TimeUnit.SECONDS).build();
    await(table.put(put("a", "1")));
    assertThat(
            await(
                    ((AsyncDeliTable) table)
                        .readValue(ValueQuery.on("by_q").equalTo(Bytes.toBytes("1"))))
                .hits())
        .hasSize(1);
    assertThat(table.getScanTimeout(TimeUnit.SECONDS)).isEqualTo(9);
  }

  @Test
  void callbacksGetTheErrorItselfInThePoolThatWasGiven() throws Exception {
    TestTable written = TestTable.create("async_pool", 1);
    Function<AsyncTable<?>, List<Object>> heard =
        table -> {
          // Else the answer may be there before the callback, which the caller's thread runs then.
          CountDownLatch attached = new CountDownLatch(1);
          for (int i = 0; i < THREADS; i++) {
            var unused = pool.submit(() -> attached.await(1, TimeUnit.MINUTES));
          }
          CompletableFuture<List<Object>> answer =
              table
                  .increment(increment("a"))
                  .handle(
                      (result, error) ->
                          List.of(error.getClass(), Thread.currentThread().getName()));
          attached.countDown();
          return answer.join();
        };
    assertThat(heard.apply(connection.getTable(written.name(), pool)))
        .containsExactly(WriteRefusedException.class, THREAD);
    assertThat(heard.apply(connection.getTable(written.name())).get(0))
        .isEqualTo(WriteRefusedException.class);
    CompletableFuture<String> thread =
        connection
            .getBufferedMutatorBuilder(written.name(), pool)
            .setMaxMutations(1)
            .build()
            .mutate(put("a", "1"))
            .thenApply(done -> Thread.currentThread().getName());
    assertThat(await(thread)).isIn(THREAD, Thread.currentThread().getName());
  }

  @Test
  void aMutatorSendsAFullBuffer() throws Exception {
    TestTable written = TestTable.create("async_buffer", 1);
    AsyncBufferedMutator mutator =
        connection.getBufferedMutatorBuilder(written.name()).setMaxMutations(3).build();
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    answers.add(mutator.mutate(put("a", "1")));
    answers.add(mutator.mutate(put("b", "1")));
    assertThat(answers).noneMatch(CompletableFuture::isDone);
    written.assertEmpty();
    answers.add(mutator.mutate(put("c", "1")));
    awaitAll(answers);
    CompletableFuture<Void> left = mutator.mutate(put("d", "1"));
    mutator.flush();
    await(left);
    CompletableFuture<Void> last = mutator.mutate(put("e", "1"));
    mutator.close();
    await(last);
    assertThatThrownBy(() -> await(mutator.mutate(put("f", "1"))))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("Already closed");
    assertThat(written.entries()).hasSize(5);
    written.assertIndexed();
    AsyncBufferedMutator small =
        connection.getBufferedMutatorBuilder(written.name()).setWriteBufferSize(1).build();
    assertThat(small.getWriteBufferSize()).isEqualTo(1);
    await(small.mutate(put("g", "1")));
  }

  @Test
  void aMutatorSendsWhatHasWaited() throws Exception {
    TestTable written = TestTable.create("async_periodic", 1);
    AsyncBufferedMutator mutator =
        connection
            .getBufferedMutatorBuilder(written.name())
            .setWriteBufferPeriodicFlush(200, TimeUnit.MILLISECONDS)
            .build();
    assertThat(mutator.getPeriodicalFlushTimeout(TimeUnit.MILLISECONDS)).isEqualTo(200);
    long begun = System.nanoTime();
    await(mutator.mutate(put("a", "1")));
    assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(199));
    await(mutator.mutate(put("b", "1")));
    assertThat(written.entries()).hasSize(2);
    written.assertIndexed();
  }

  @Test
  void eachMutationHasAnAnswerOfItsOwn() throws Exception {
    TestTable written = TestTable.create("async_answers", 1);
    AsyncBufferedMutator mutator =
        connection.getBufferedMutatorBuilder(written.name()).setMaxKeyValueSize(60).build();
    assertThatThrownBy(() -> mutator.mutate(put("a", "1".repeat(60))))
        .isInstanceOf(IllegalArgumentException.class);
    CompletableFuture<Void> first = mutator.mutate(put("a", "1"));
    CompletableFuture<Void> refused = mutator.mutate(increment("b"));
    CompletableFuture<Void> last = mutator.mutate(put("c", "1"));
    mutator.flush();
    await(first);
    await(last);
    assertThatThrownBy(() -> await(refused)).hasCauseInstanceOf(DoNotRetryIOException.class);
    assertThat(written.entries()).hasSize(2);
    written.assertIndexed();
  }

  @Test
  void buffersOfOneRowAreOrderedAsTheyLeave() throws Exception {
    TestTable written = TestTable.create("async_order", 1);
    AsyncBufferedMutator mutator =
        connection.getBufferedMutatorBuilder(written.name()).setMaxMutations(2).build();
    awaitAll(IntStream.range(0, 200).mapToObj(i -> mutator.mutate(put("row", "v" + i))).toList());
    assertThat(
            await(connection.getTable(written.name()).get(new Get(Bytes.toBytes("row")))).value())
        .isEqualTo(Bytes.toBytes("v199"));
  }

  private static DeliAsyncConnection recording(RecordedSettings recorded) throws Exception {
    return DeliAsyncConnection.wrap(
        recorded.over(ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void settingsOfATableAreMadeOnItsIndexesToo(boolean pooled) throws Exception {
    TestTable written = TestTable.create("async_settings", 1);
    RecordedSettings recorded = new RecordedSettings();
    try (DeliAsyncConnection deli = recording(recorded)) {
      AsyncTableBuilder<?> builder =
          pooled
              ? deli.getTableBuilder(written.name(), pool)
              : deli.getTableBuilder(written.name());
      AsyncTable<?> table =
          builder
              .setOperationTimeout(61, TimeUnit.SECONDS)
              .setScanTimeout(62, TimeUnit.SECONDS)
              .setRpcTimeout(63, TimeUnit.SECONDS)
              .setReadRpcTimeout(64, TimeUnit.SECONDS)
              .setWriteRpcTimeout(65, TimeUnit.SECONDS)
              .setRetryPause(66, TimeUnit.MILLISECONDS)
              .setRetryPauseForServerOverloaded(67, TimeUnit.MILLISECONDS)
              .setMaxRetries(7)
              .setStartLogErrorsCnt(3)
              .build();
      builder.setMaxAttempts(99);
      await(table.put(put("a", "1")));
      assertTimeouts(table, 61, 62, 63, 64, 65);
      assertThat(recorded.on(written.index().table()))
          .contains(
              "setOperationTimeout[61, SECONDS]",
              "setScanTimeout[62, SECONDS]",
              "setReadRpcTimeout[64, SECONDS]",
              "setWriteRpcTimeout[65, SECONDS]",
              "setRpcTimeout[65, SECONDS]",
              "setRetryPause[66, MILLISECONDS]",
              "setRetryPauseForServerOverloaded[67, MILLISECONDS]",
              "setMaxAttempts[8]",
              "setStartLogErrorsCnt[3]")
          .doesNotContain("setMaxAttempts[99]");
    }
  }

  private static void assertTimeouts(AsyncTable<?> table, long... seconds) {
    assertThat(
            new long[] {
              table.getOperationTimeout(TimeUnit.SECONDS),
              table.getScanTimeout(TimeUnit.SECONDS),
              table.getRpcTimeout(TimeUnit.SECONDS),
              table.getReadRpcTimeout(TimeUnit.SECONDS),
              table.getWriteRpcTimeout(TimeUnit.SECONDS)
            })
        .containsExactly(seconds);
  }

  /** It is repeated after the pause of the table, not of the connection. */
  @Test
  void aConditionFalseByItsOwnFirstRequestKeepsItsEntries() throws Exception {
    TestTable written = TestTable.create("async_pause", 3);
    HookObserver hooks = HookObserver.on(written.name());
    try (AsyncConnection own = ConnectionFactory.createAsyncConnection(configuration()).get()) {
      AsyncTable<?> table =
          own.getTableBuilder(written.name()).setRetryPause(1, TimeUnit.MILLISECONDS).build();
      await(table.put(put("row", "v")));
      hooks.once(
          Moment.CONDITIONAL_DONE,
          (region, result) -> {
            throw new IOException("lost by the test");
          });
      CheckAndMutate again =
          CheckAndMutate.newBuilder(Bytes.toBytes("row"))
              .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("v"))
              .build(put("row", "w"));
      assertThat(await(table.checkAndMutate(again)).isSuccess()).isFalse();
    }
    // Closing it waits for what goes on behind its writes.
    assertThat(written.justifiedByDead()).hasSize(2);
    written.assertIndexed();
  }

  @Test
  void settingsOfAMutatorAreMadeOnItsIndexesToo() throws Exception {
    TestTable written = TestTable.create("async_mutator_settings", 1);
    RecordedSettings recorded = new RecordedSettings();
    try (DeliAsyncConnection deli = recording(recorded)) {
      await(
          deli.getBufferedMutatorBuilder(written.name())
              .setOperationTimeout(71, TimeUnit.SECONDS)
              .setRpcTimeout(72, TimeUnit.SECONDS)
              .setRetryPause(73, TimeUnit.MILLISECONDS)
              .setMaxAttempts(4)
              .setMaxMutations(1)
              .build()
              .mutate(put("b", "1")));
      assertThat(recorded.on(written.index().table()))
          .contains(
              "setOperationTimeout[71, SECONDS]",
              "setRpcTimeout[72, SECONDS]",
              "setWriteRpcTimeout[72, SECONDS]",
              "setRetryPause[73, MILLISECONDS]",
              "setMaxAttempts[4]");
    }
  }

  @Test
  void aConnectionIsWrappedOnce() throws Exception {
    TestTable written = TestTable.create("async_wrapped", 1);
    AsyncConnection plain =
        ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get();
    DeliAsyncConnection inner = DeliAsyncConnection.wrap(plain);
    try (DeliAsyncConnection outer = DeliAsyncConnection.wrap(inner)) {
      await(outer.getTable(written.name()).put(put("a", "1")));
      assertThat(outer.getConfiguration()).isSameAs(plain.getConfiguration());
    }
    assertThat(plain.isClosed()).isTrue();
    assertThat(inner.isClosed()).isTrue();
    written.assertIndexed();
    assertThat(written.entries()).hasSize(1);
  }
}
