package io.deli.test.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.IndexUnavailableException;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.RegionClient;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What a client takes a table for whose definitions it cannot read. */
class UnknownDefinitionsTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String OBSERVER = "io.deli.coprocessor.DeliRegionObserver";

  /** One by which the master says to each who asks for a descriptor what the handler does. */
  private static AsyncConnection asking(AsyncConnection real, InvocationHandler master) {
    return Proxies.of(
        AsyncConnection.class,
        real,
        "getAdminBuilder",
        (self, method, arguments) -> builder(master));
  }

  private static AsyncAdminBuilder builder(InvocationHandler master) {
    return Proxies.of(
        AsyncAdminBuilder.class,
        (self, method, arguments) ->
            method.getName().equals("build") ? Proxies.of(AsyncAdmin.class, master) : self);
  }

  private static AsyncConnection connect(Configuration configuration) throws Exception {
    return ConnectionFactory.createAsyncConnection(configuration).get(60, TimeUnit.SECONDS);
  }

  private static RegionClient regions(AsyncConnection connection) {
    return new RegionClient(
        connection, ClientEnvironment.of(InstantSource.system(), System::nanoTime));
  }

  /** What is described while the master is silent. */
  private static TableDescriptor describe(TableName table) throws Exception {
    try (AsyncConnection real = connect(MiniCluster.configuration(500))) {
      return regions(asking(real, (self, method, arguments) -> new CompletableFuture<>()))
          .describe(table)
          .get(60, TimeUnit.SECONDS);
    }
  }

  private static TableName create(String stem) throws IOException {
    TableName table = MiniCluster.uniqueTable(stem);
    MiniCluster.utility().createTable(table, FAMILY).close();
    return table;
  }

  @Test
  void anIndexedTableIsNeverTakenForAPlainOne() throws Exception {
    TableName table = create("stripped");
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(table, IndexDefinition.on("by_q", Column.parse("f:q")));
    assertThat(IndexDefinitions.names(describe(table))).containsExactly("by_q");
    TestTable.alter(table, descriptor -> descriptor.removeCoprocessor(OBSERVER));
    assertThatThrownBy(() -> describe(table))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll("whether table " + table, table + ".by_q");
    DeliAdmin.of(MiniCluster.connection()).dropIndex(table, "by_q");
    assertThat(IndexDefinitions.names(describe(table))).isEmpty();
  }

  @Test
  void aTableIsKnownToHaveNoIndex_whileTheTableOfItsLastOneIsLeft() throws Exception {
    TableName table = create("dropped");
    try (Connection real = ConnectionFactory.createConnection(MiniCluster.configuration(500));
        Admin hbase = real.getAdmin()) {
      DeliAdmin deli = DeliAdmin.of(real);
      deli.createIndex(table, IndexDefinition.on("by_q", Column.parse("f:q")));
      assertThatThrownBy(
              () -> DeliAdmin.of(dyingAt("disableTable", false, real)).dropIndex(table, "by_q"))
          .hasMessage("died");
      assertThat(hbase.tableExists(TableName.valueOf(table + ".by_q"))).isTrue();
      assertThat(IndexDefinitions.names(describe(table))).isEmpty();

      deli.dropIndex(table, "by_q");
      assertThat(hbase.tableExists(TableName.valueOf(table + ".by_q"))).isFalse();
      assertThat(hbase.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
      assertThat(IndexDefinitions.names(describe(table))).isEmpty();
    }
  }

  @Test
  void aTableIsKnownToHaveNoIndex_whileTheTableOfItsFirstOneIsThere() throws Exception {
    TableName table = create("begun");
    try (Connection real = ConnectionFactory.createConnection(MiniCluster.configuration(500));
        Admin hbase = real.getAdmin()) {
      IndexDefinition index = IndexDefinition.on("by_q", Column.parse("f:q"));
      assertThatThrownBy(
              () -> DeliAdmin.of(dyingAt("createTable", true, real)).createIndex(table, index))
          .hasMessage("died");
      assertThat(hbase.tableExists(TableName.valueOf(table + ".by_q"))).isTrue();
      assertThat(IndexDefinitions.names(describe(table))).isEmpty();

      DeliAdmin.of(real).dropIndex(table, "by_q");
      assertThat(hbase.tableExists(TableName.valueOf(table + ".by_q"))).isFalse();
      assertThat(hbase.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
    }
  }

  @Test
  void aTableIsKnownToHaveNoIndex_whileTheTableOfAnotherFormerOneIsLeft() throws Exception {
    TableName table = create("cleared");
    try (Connection real = ConnectionFactory.createConnection(MiniCluster.configuration(500));
        Admin hbase = real.getAdmin()) {
      DeliAdmin deli = DeliAdmin.of(real);
      for (String name : List.of("by_q", "by_r")) {
        deli.createIndex(table, IndexDefinition.on(name, Column.parse("f:q")));
        assertThatThrownBy(
                () -> DeliAdmin.of(dyingAt("disableTable", false, real)).dropIndex(table, name))
            .hasMessage("died");
      }
      deli.dropIndex(table, "by_q");
      assertThat(IndexDefinitions.names(describe(table))).isEmpty();
      deli.dropIndex(table, "by_r");
      assertThat(hbase.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
    }
  }

  /** One of a process that dies at a call of the master: ahead of it, or when it is done. */
  private static Connection dyingAt(String call, boolean isDone, Connection real) {
    return Proxies.of(
        Connection.class,
        real,
        "getAdmin",
        (self, method, arguments) ->
            Proxies.of(
                Admin.class,
                real.getAdmin(),
                call,
                (admin, it, by) -> {
                  if (isDone) {
                    try (Admin calling = real.getAdmin()) {
                      Proxies.call(calling, it, by);
                    }
                  }
                  throw new IOException("died");
                }));
  }

  @Test
  void tablesThatOnlyHaveTheNameOfAnIndexTableAreNone() throws Exception {
    TableName table = create("plain");
    MiniCluster.utility().createTable(TableName.valueOf(table + ".archive"), FAMILY).close();
    MiniCluster.utility().createTable(TableName.valueOf(table + "x"), Bytes.toBytes("e")).close();
    assertThat(IndexDefinitions.names(describe(table))).isEmpty();
    MiniCluster.utility().createTable(TableName.valueOf(table + ".e"), Bytes.toBytes("e")).close();
    assertThatThrownBy(() -> describe(table)).hasMessageContaining(table + ".e ");
  }

  /** As a program does that has HBase try nothing twice. */
  @Test
  void whoDoesNotRetryIsAnsweredAtOnceOrInTime() throws Exception {
    assertThat(attempts(0, 60_000)).isEqualTo(1);
    assertThat(attempts(4, 60_000)).isEqualTo(5);
    // None, to HBase.
    assertThat(attempts(4, 0)).isEqualTo(5);
    assertThat(attempts(1_000, 5_000)).isBetween(2, 100);
  }

  private static int attempts(int retries, long timeoutMillis) throws Exception {
    Configuration configuration = MiniCluster.configuration(500);
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, retries);
    configuration.setLong(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, timeoutMillis);
    AtomicInteger asked = new AtomicInteger();
    AsyncConnection deaf =
        Proxies.of(
            AsyncConnection.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getConfiguration" -> configuration;
                  case "getAdminBuilder" -> builder(counting(asked));
                  default -> throw new IllegalStateException("not to be asked: " + method);
                });
    CompletableFuture<TableDescriptor> answer =
        regions(failing(deaf)).describe(TableName.valueOf("t"));
    try {
      answer.get(20, TimeUnit.SECONDS);
      throw new AssertionError("nobody could tell");
    } catch (TimeoutException e) {
      throw new AssertionError("still asking, after " + asked + " times", e);
    } catch (ExecutionException e) {
      assertThat(e).hasRootCauseMessage("busy");
    }
    return asked.get();
  }

  private static InvocationHandler counting(AtomicInteger asked) {
    return (self, method, arguments) -> {
      asked.incrementAndGet();
      return CompletableFuture.failedFuture(new IOException("busy"));
    };
  }

  /** Regions fail at once, too. */
  private static AsyncConnection failing(AsyncConnection deaf) {
    InvocationHandler busy =
        (self, method, arguments) ->
            CompletableFuture.class.isAssignableFrom(method.getReturnType())
                ? CompletableFuture.failedFuture(new IOException("busy"))
                : method.getReturnType().isInterface() && method.getName().startsWith("set")
                    ? self
                    : null;
    return Proxies.of(
        AsyncConnection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getTableBuilder" ->
                  Proxies.of(
                      AsyncTableBuilder.class,
                      (builder, call, parameters) ->
                          call.getName().equals("build")
                              ? Proxies.of(AsyncTable.class, busy)
                              : builder);
              case "getRegionLocator" -> Proxies.of(AsyncTableRegionLocator.class, busy);
              default -> Proxies.call(deaf, method, arguments);
            });
  }
}
