package io.deli.test.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.VetoingMaster;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table's first index, whose creation fails at one of its steps, or seems to. */
class FailedCreationTest {
  private static final String OBSERVER = "io.deli.coprocessor.DeliRegionObserver";
  private static final IndexDefinition BY_USER =
      IndexDefinition.on("by_user", Column.parse("f:user"));

  @AutoClose private static Connection connection;

  private final DeliAdmin deli = DeliAdmin.of(connection);
  @AutoClose private Admin admin;
  private TableName table;
  private TableName indexTable;

  @BeforeAll
  static void connect() throws IOException {
    connection = ConnectionFactory.createConnection(MiniCluster.configuration(500));
  }

  @BeforeEach
  void createTable() throws IOException {
    table = MiniCluster.uniqueTable("failed");
    indexTable = IndexDefinitions.indexTable(table, "by_user");
    MiniCluster.utility().createTable(table, Bytes.toBytes("f")).close();
    admin = connection.getAdmin();
  }

  @Test
  void stepsAreUndone_whenALaterOneFails() throws IOException {
    VetoingMaster.refuseToAlter(table);
    assertThatThrownBy(() -> deli.createIndex(table, BY_USER)).hasMessageContaining("vetoed");
    assertNothingChanged();
  }

  @Test
  void theCoprocessorIsRemoved_whenTheIndexTableIsRefused() throws IOException {
    Admin refusing =
        Proxies.of(
            Admin.class,
            admin,
            "createTable",
            (self, create, tables) -> {
              assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isTrue();
              throw new AccessDeniedException("refused");
            });
    Connection mixed =
        Proxies.of(Connection.class, connection, "getAdmin", (self, it, by) -> refusing);
    assertThatThrownBy(() -> DeliAdmin.of(mixed).createIndex(table, BY_USER)).hasMessage("refused");
    assertNothingChanged();
  }

  /** It tells nothing of what its server can load. */
  @Test
  void aRegionOfAnotherTableThatRefusesAllGetsIsPassedOver() throws IOException {
    TableName other = MiniCluster.uniqueTable("refusing");
    MiniCluster.utility().createTable(other, Bytes.toBytes("f")).close();
    HookObserver hooks =
        HookObserver.on(other)
            .each(
                Moment.GET,
                (region, get) -> {
                  throw new DoNotRetryIOException("not for you");
                });
    Admin otherFirst =
        Proxies.of(
            Admin.class,
            admin,
            "getRegions",
            (self, it, of) ->
                of[0] instanceof ServerName server
                    ? admin.getRegions(server).stream()
                        .sorted(Comparator.comparing(region -> !region.getTable().equals(other)))
                        .toList()
                    : Proxies.call(admin, it, of));
    Connection mixed =
        Proxies.of(Connection.class, connection, "getAdmin", (self, it, by) -> otherFirst);
    try {
      DeliAdmin.of(mixed).createIndex(table, BY_USER);
    } finally {
      hooks.clear();
    }
    assertThat(deli.describe(table, "by_user").state()).isEqualTo(IndexState.ACTIVE);
  }

  @Test
  void nothingIsUndoneThatTheMasterMayName_whenItAltersTheTableYet() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    VetoingMaster.alterLate(table, late);
    try (Connection impatient =
            ConnectionFactory.createConnection(
                MiniCluster.configuration("hbase.client.sync.wait.timeout.msec", "2000"));
        Admin hasty = impatient.getAdmin()) {
      Admin altering =
          Proxies.of(
              Admin.class,
              admin,
              "modifyTable",
              (self, it, by) ->
                  Proxies.call(
                      IndexDefinitions.names((TableDescriptor) by[0]).isEmpty() ? admin : hasty,
                      it,
                      by));
      // For all else it has the time that it takes.
      Connection mixed =
          Proxies.of(Connection.class, connection, "getAdmin", (self, it, by) -> altering);
      assertThatThrownBy(() -> DeliAdmin.of(mixed).createIndex(table, BY_USER))
          .hasMessageContaining("it is not known whether the master has altered table " + table);
    } finally {
      late.countDown();
    }
    MiniCluster.utility().waitFor(60_000, () -> !deli.list(table).isEmpty());
    assertThat(admin.isTableEnabled(indexTable)).isTrue();
  }

  private void assertNothingChanged() throws IOException {
    assertThat(admin.tableExists(indexTable)).isFalse();
    assertThat(deli.list(table)).isEmpty();
    assertThat(admin.getDescriptor(table).hasCoprocessor(OBSERVER)).isFalse();
  }
}
