package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.internal.ClientEnvironment.Scheduler;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.Unconnected;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadTablesTest {
  private static final TableName NAME = TableName.valueOf("t");

  private AsyncConnection connection;

  @BeforeEach
  void open() throws Exception {
    connection = Unconnected.open(HBaseConfiguration.create());
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
  }

  private ReadTables with(List<Consumer<AsyncTableBuilder<?>>> settings) {
    return new ReadTables(connection, 2, Scheduler.SYSTEM).with(settings);
  }

  private static Consumer<AsyncTableBuilder<?>> operation(long millis) {
    return table -> table.setOperationTimeout(millis, TimeUnit.MILLISECONDS);
  }

  private static Consumer<AsyncTableBuilder<?>> scan(long millis) {
    return table -> table.setScanTimeout(millis, TimeUnit.MILLISECONDS);
  }

  private static Consumer<AsyncTableBuilder<?>> read(long millis) {
    return table -> table.setReadRpcTimeout(millis, TimeUnit.MILLISECONDS);
  }

  private AsyncTable<?> open(List<Consumer<AsyncTableBuilder<?>>> settings) {
    return with(settings).open(NAME);
  }

  private static void assertTimeouts(AsyncTable<?> table, long operation, long scan, long read) {
    assertThat(table.getOperationTimeout(TimeUnit.SECONDS)).isEqualTo(operation);
    assertThat(table.getScanTimeout(TimeUnit.SECONDS)).isEqualTo(scan);
    assertThat(table.getReadRpcTimeout(TimeUnit.SECONDS)).isEqualTo(read);
  }

  @Test
  void theShorterTimeOutBoundsScans() {
    AsyncTable<?> plain = connection.getTable(NAME);
    long operation = plain.getOperationTimeout(TimeUnit.SECONDS);
    long scan = plain.getScanTimeout(TimeUnit.SECONDS);
    assertThat(operation).isGreaterThan(scan);
    assertTimeouts(open(List.of()), operation, scan, 60);
    assertTimeouts(open(List.of(read(2_000))), operation, scan, 2);
    assertTimeouts(open(List.of(operation(5_000))), 5, 5, 60);
    assertTimeouts(open(List.of(operation(5_000), scan(3_000))), 5, 3, 60);
  }

  @Test
  void aTimeOutOfZeroIsNone() {
    assertTimeouts(open(List.of(operation(0), scan(70_000))), 0, 70, 60);
    assertTimeouts(open(List.of(operation(70_000), scan(0))), 70, 70, 60);
    assertTimeouts(open(List.of(operation(0), scan(0))), 0, 0, 60);
  }

  private void assertCalls(List<Consumer<AsyncTableBuilder<?>>> settings, long seconds) {
    AsyncTable<?> called = with(settings).endpoint(NAME);
    assertThat(called.getRpcTimeout(TimeUnit.SECONDS)).isEqualTo(seconds);
    assertThat(called.getOperationTimeout(TimeUnit.SECONDS)).isEqualTo(seconds);
  }

  @Test
  void callsOfEndpointsEndInTheTimeOfARequest() {
    assertCalls(List.of(), 60);
    assertCalls(List.of(operation(5_000)), 5);
    assertCalls(List.of(operation(5_000), read(2_000)), 2);
    assertCalls(List.of(scan(3_000)), 3);
    assertCalls(List.of(operation(0), scan(0), read(0)), 0);
  }

  @Test
  void aTableIsOpenedOnce() {
    ReadTables tables = with(List.of(operation(5_000)));
    assertThat(tables.open(NAME)).isSameAs(tables.open(NAME));
  }

  @Test
  void whatIsSharedIsWaitedForNoLongerThanTheSettingsAllow() {
    CompletableFuture<String> shared = new CompletableFuture<>();
    assertThat(with(List.of()).bounded(NAME, shared)).isSameAs(shared);
    for (Consumer<AsyncTableBuilder<?>> setting : List.of(scan(10), operation(10))) {
      assertThat(with(List.of(setting)).bounded(NAME, shared)).failsWithin(Duration.ofSeconds(10));
    }
    assertThat(shared).isNotDone();
    // It bounds each attempt to read.
    CompletableFuture<String> patient = with(List.of(read(1))).bounded(NAME, shared);
    shared.complete("answer");
    assertThat(patient).isCompletedWithValue("answer");
  }

  @Test
  void definitionsAreWaitedForNoLongerThanTheSettingsAllow() {
    CompletableFuture<KnownIndexes> never = new CompletableFuture<>();
    CurrentDefinitions definitions = new CurrentDefinitions(NAME, () -> never, () -> never);
    ValueQuery query = ValueQuery.on("i").equalTo(new byte[0]);
    try (QueryEngine all =
        Plans.engine(connection, connection.getConfiguration(), InstantSource.system())) {
      QueryEngine impatient = all.with(List.of(operation(10)));
      for (CompletableFuture<?> answer :
          List.of(
              impatient.begin(definitions, query),
              impatient.page(definitions, query),
              impatient.explain(definitions, query))) {
        assertThat(answer)
            .failsWithin(Duration.ofSeconds(10))
            .withThrowableOfType(ExecutionException.class)
            .withCauseInstanceOf(TimeoutIOException.class);
      }
    }
    assertThat(never).isNotDone();
  }
}
