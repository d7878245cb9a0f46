package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.deli.client.internal.DefinitionCache;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.client.internal.write.InFlightLimiter;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.IndexedTableWriter.Setup;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteContext;
import io.deli.client.internal.write.WriteRules;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Mutators whose buffers leave while nobody tells the definitions any more. To find that out takes
 * minutes, once for all mutations.
 */
class MutatorOutageTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int MUTATIONS = 10;

  private final Configuration configuration = HBaseConfiguration.create();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile CompletableFuture<TableDescriptor> definitions;

  @BeforeEach
  void findDefinitions() {
    definitions =
        CompletableFuture.completedFuture(TableDescriptorBuilder.newBuilder(TABLE).build());
  }

  private IndexedTableWriter writer() {
    DefinitionCache cache =
        new DefinitionCache(
            table -> {
              reads.incrementAndGet();
              return definitions;
            },
            1_000,
            nanos::get);
    return new IndexedTableWriter(
        new Setup(
            TABLE,
            cache,
            unused(TableClients.class),
            new WriteContext(row -> 1, InstantSource.system(), nanos::get),
            WriteRules.of(configuration),
            ClientMetrics.off().writes()));
  }

  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              throw new AssertionError("not to be called: " + method);
            }));
  }

  /** Of one row, which go one after the other. */
  private static List<Mutation> mutations() {
    byte[] name = Bytes.toBytes("f");
    return Collections.nCopies(MUTATIONS, new Put(name).addColumn(name, name, name));
  }

  private void loseDefinitions() {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    definitions = CompletableFuture.failedFuture(new IOException("nobody answers"));
    reads.set(0);
  }

  private BufferedMutator mutator(BufferedMutatorParams params) {
    IndexedTableWriter writer = writer();
    return new PipelinedMutator(
        configuration,
        MutatorOptions.of(params, configuration),
        timeouts -> writer,
        new InFlightLimiter(4 * MUTATIONS));
  }

  @Test
  void theBlockingMutatorWaitsOnce() throws IOException {
    try (BufferedMutator mutator = mutator(new BufferedMutatorParams(TABLE))) {
      mutator.mutate(mutations());
      loseDefinitions();
      assertThatThrownBy(mutator::flush)
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              failures -> {
                assertThat(failures.getNumExceptions()).isEqualTo(MUTATIONS);
                assertThat(failures.getCause(0)).hasMessageContaining("nobody answers");
              });
      assertThat(reads).hasValue(1);
    }
  }

  /** As HBase's mutator does, whose listener hears of all that fails. */
  @Test
  void whatIsGivenMeanwhile_isToldOnce() throws IOException {
    List<Integer> told = new CopyOnWriteArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(TABLE)
            .listener((failures, mutator) -> told.add(failures.getNumExceptions()));
    loseDefinitions();
    try (BufferedMutator mutator = mutator(params)) {
      mutator.mutate(mutations());
      assertThat(told).containsExactly(MUTATIONS);
    }
    assertThat(told).hasSize(1);
  }

  /** An application may have its listener wait for a thread that uses the mutator. */
  @Test
  void aListenerIsToldWhileOthersMayCall() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    List<String> told = new CopyOnWriteArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(TABLE)
            .listener(
                (failures, mutator) -> {
                  Future<?> call =
                      other.submit(
                          () -> {
                            mutator.flush();
                            return null;
                          });
                  assertThat(call).succeedsWithin(10, TimeUnit.SECONDS);
                  told.add(Thread.currentThread().getName());
                });
    try (BufferedMutator mutator = mutator(params)) {
      mutator.mutate(mutations());
      loseDefinitions();
      mutator.flush();
      assertThat(told).containsExactly(Thread.currentThread().getName());
      findDefinitions();
      mutator.mutate(mutations());
      loseDefinitions();
      mutator.setWriteBufferPeriodicFlush(1, 1);
      await(() -> told.contains("deli-periodic-flush"));
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void whatAListenerThrowsOfATimer_isToldAgain() throws Exception {
    AtomicInteger told = new AtomicInteger();
    BufferedMutatorParams params =
        new BufferedMutatorParams(TABLE)
            .listener(
                (failures, mutator) -> {
                  told.incrementAndGet();
                  throw failures;
                });
    try (BufferedMutator mutator = mutator(params)) {
      mutator.mutate(mutations());
      loseDefinitions();
      mutator.setWriteBufferPeriodicFlush(1, 1);
      await(() -> told.get() > 0);
      await(() -> fails(mutator::flush));
      assertThat(told).hasValue(2);
      mutator.flush();
    }
  }

  private static boolean fails(ThrowingCallable call) {
    return catchThrowable(call) instanceof RetriesExhaustedWithDetailsException;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  @SuppressWarnings("unchecked") // a class literal has no type parameter
  void theAsynchronousMutatorWaitsOnce() {
    IndexedTableWriter writer = writer();
    AsyncTable<ScanResultConsumer> plain = unused(AsyncTable.class);
    AsyncTableBuilder<ScanResultConsumer> plainly =
        (AsyncTableBuilder<ScanResultConsumer>)
            Proxy.newProxyInstance(
                AsyncTableBuilder.class.getClassLoader(),
                new Class<?>[] {AsyncTableBuilder.class},
                (self, method, arguments) -> plain);
    IndexingAsyncTableBuilder<ScanResultConsumer> table =
        new IndexingAsyncTableBuilder<>(
            plainly,
            (made, settings) ->
                new IndexingAsyncTable<>(made, configuration, writer, Optional.empty()));
    AsyncBufferedMutator mutator = new AsyncMutatorBuilder(TABLE, configuration, table).build();
    List<CompletableFuture<Void>> answers = mutator.mutate(mutations());
    writer.known().join();
    loseDefinitions();
    mutator.flush();
    assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(reads).hasValue(1);
  }
}
