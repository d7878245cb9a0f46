package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.IndexUnavailableException;
import io.deli.client.TimestampOracle;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import io.deli.test.cluster.AsyncConnectionOfHBase;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A connection, however it was made, and what it learns of a table. */
class ConnectionTest {
  private static final byte[] ROW = Bytes.toBytes("row");

  private static Put put(String value) {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  /** Named by a configuration. */
  public static final class NoonOracle implements TimestampOracle {
    @Override
    public long next(byte[] row) {
      return 12;
    }
  }

  @Test
  void aProgramThatKnowsNothingOfDeliKeepsIndexes() throws Exception {
    try (var source = UnmodifiedProgram.class.getResourceAsStream("UnmodifiedProgram.class")) {
      assertThat(new String(source.readAllBytes(), StandardCharsets.ISO_8859_1))
          .as("it refers to no class of DELI's client")
          .doesNotContain("io/deli/client");
    }
    TestTable written = TestTable.create("unmodified", 2);
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.connection.impl", "io.deli.client.DeliConnection");
    UnmodifiedProgram.run(configuration, written.name());
    assertThat(written.entries()).hasSize(41);
    written.assertIndexed();
  }

  @Test
  void everythingTellsTheConfigurationThatItsConnectionWasGiven() throws Exception {
    TestTable written = TestTable.create("configured", 1);
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.connection.impl", "io.deli.client.DeliConnection");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(written.name());
        BufferedMutator mutator = connection.getBufferedMutator(written.name())) {
      assertThat(connection.getConfiguration()).isSameAs(configuration);
      assertThat(table.getConfiguration()).isSameAs(configuration);
      assertThat(mutator.getConfiguration()).isSameAs(configuration);
    }
  }

  @Test
  void aWrappedConnectionIsClosedWithIt() throws Exception {
    TestTable written = TestTable.create("wrapped", 1);
    Connection plain = ConnectionFactory.createConnection(MiniCluster.configuration());
    DeliTable table;
    try (DeliConnection connection = DeliConnection.wrap(plain)) {
      table = connection.getTable(written.name());
      table.put(put("a"));
      ValuePage page =
          connection
              .getAsyncTable(written.name())
              .readValue(ValueQuery.on("by_q").equalTo(Bytes.toBytes("a")))
              .get(30, TimeUnit.SECONDS);
      assertThat(page.hits()).hasSize(1);
    }
    assertThat(plain.isClosed()).isTrue();
    assertThatThrownBy(() -> table.put(put("b"))).isInstanceOf(IOException.class);
    written.assertIndexed();
  }

  @Test
  void theConfigurationNamesTheOracle() throws Exception {
    TestTable written = TestTable.create("oracle", 1).admittingAll();
    try (Connection connection =
            MiniCluster.connectConfigured("deli.oracle.class", NoonOracle.class.getName());
        Table table = connection.getTable(written.name())) {
      table.put(put("a"));
      assertThat(written.entries()).containsExactly("a>row@12");
    }
    assertThatThrownBy(
            () ->
                MiniCluster.connectConfigured(
                    "deli.oracle.class",
                    "no.such.Oracle",
                    "hbase.client.registry.impl",
                    "no.such.Registry"))
        .as("it is looked for before there is a connection, which nobody would close")
        .hasStackTraceContaining("deli.oracle.class = 'no.such.Oracle'");
  }

  /** Named by a configuration. */
  public static final class CountedConnection extends AsyncConnectionOfHBase {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();

    /** As HBase 2.5 calls it. */
    public CountedConnection(
        Configuration configuration, ConnectionRegistry registry, String clusterId, User user) {
      this(configuration, registry, clusterId, user, Map.of());
    }

    /** As newer HBase calls it. */
    public CountedConnection(
        Configuration configuration,
        ConnectionRegistry registry,
        String clusterId,
        User user,
        Map<String, byte[]> attributes) {
      super(configuration, registry, clusterId, user, attributes);
      MADE.incrementAndGet();
    }

    static void forget() {
      MADE.set(0);
      CLOSED.set(0);
    }

    @Override
    public void close() {
      CLOSED.incrementAndGet();
      super.close();
    }
  }

  @Test
  void aWrapperThatIsWrappedIsClosedWithTheOther() throws Exception {
    TableName name = TestTable.create("rewrapped", 1).name();
    CountedConnection.forget();
    Configuration configuration = MiniCluster.configuration();
    configuration.set("hbase.client.async.connection.impl", CountedConnection.class.getName());
    Connection plain = ConnectionFactory.createConnection(configuration);
    DeliConnection inner = DeliConnection.wrap(plain);
    inner.getTable(name).put(put("a"));
    try (DeliConnection outer = DeliConnection.wrap(inner)) {
      outer.getTable(name).put(put("b"));
    }
    assertThat(plain.isClosed()).isTrue();
    assertThat(CountedConnection.MADE).hasValue(2);
    assertThat(CountedConnection.CLOSED).hasValue(2);
    assertThatThrownBy(() -> inner.getTable(name).put(put("c"))).isInstanceOf(IOException.class);
  }

  @Test
  void aWrongSettingLeavesNoConnectionOpen() throws Exception {
    CountedConnection.forget();
    TableName name = TestTable.create("wrong", 1).name();
    try (Connection connection =
        MiniCluster.connectConfigured(
            "hbase.client.async.connection.impl",
            CountedConnection.class.getName(),
            "deli.write.queue",
            "0")) {
      assertThatThrownBy(() -> connection.getTable(name)).hasMessageContaining("deli.write.queue");
      assertThat(CountedConnection.MADE).hasValue(1);
      assertThat(CountedConnection.CLOSED).hasValue(1);
    }
  }

  @Test
  void anIndexThatAnotherClientCreatedIsMaintainedWithinTheLease() throws Exception {
    TestTable written = TestTable.create("refresh", 1, List.of());
    TableName index = IndexDefinitions.indexTable(written.name(), "by_q");
    try (Connection connection = MiniCluster.connectConfigured("deli.definitions.lease.ms", "500");
        Admin admin = MiniCluster.connection().getAdmin();
        Table table = connection.getTable(written.name())) {
      table.put(put("before"));
      long created = createIndex(admin, written.name());
      AtomicLong lastUnindexed = new AtomicLong();
      Eventually.holds(
          () -> {
            long asked = System.nanoTime();
            table.put(put("after"));
            if (TestTable.cells(index).isEmpty()) {
              lastUnindexed.set(asked - created);
              throw new AssertionError("not maintained yet");
            }
          });
      assertThat(lastUnindexed.get())
          .as("what begins half a second after the index was there is indexed")
          .isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
    }
  }

  @Test
  void writersThatHaveNotHeardThatAnIndexWasDroppedGoOn() throws Exception {
    TestTable written = TestTable.create("dropped", 1);
    TableName index = written.index().table();
    try (Connection connection =
            MiniCluster.connectConfigured("deli.definitions.lease.ms", "600000");
        Admin admin = MiniCluster.connection().getAdmin();
        Table table = connection.getTable(written.name())) {
      table.put(put("with"));
      TableDescriptorBuilder base =
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(written.name()));
      admin.disableTable(index);
      admin.deleteTable(index);
      assertThatThrownBy(() -> table.put(put("between")))
          .isInstanceOf(IndexUnavailableException.class)
          .hasMessageContaining(index.getNameAsString());
      admin.modifyTable(IndexDefinitions.remove(base, "by_q").build());
      table.put(put("without"));
      table.put(List.of(put("without"), put("a list without")));
      assertThat(table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER))
          .isEqualTo(Bytes.toBytes("a list without"));
    }
  }

  private static long createIndex(Admin admin, TableName name) throws IOException {
    IndexDefinition definition = TestTable.byQ().withState(IndexState.BUILDING);
    TableDescriptor base =
        IndexDefinitions.put(
                TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)), definition)
            .build();
    admin.createTable(IndexTables.descriptor(base, definition));
    admin.modifyTable(base);
    return System.nanoTime();
  }
}
