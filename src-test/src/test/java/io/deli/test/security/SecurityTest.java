package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.IndexPermission;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.RegionService;
import io.deli.strategy.Index;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indexes where HBase asks who it is. */
class SecurityTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] A = Bytes.toBytes("a");
  private static final IndexDefinition BY_V = IndexDefinition.on("by_v", Column.of(F, V));
  private static final IndexDefinition SCANNED =
      IndexDefinition.on("scanned", Column.of(F, V)).withStrategy("none");
  private static final IndexDefinition EMBEDDED =
      IndexDefinition.on("embedded", Column.of(F, V)).withStrategy("embedded");

  @AutoClose("stop")
  private static SecuredCluster cluster;

  private static User writer;
  private static User reader;
  private static int tables;

  private TableName table;
  private TableName index;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecuredCluster.start();
    writer = cluster.user("writer");
    reader = cluster.user("reader");
  }

  @BeforeEach
  void create() throws IOException {
    table = TableName.valueOf("guarded" + tables++);
    index = Index.of(table, BY_V).table();
    cluster.utility().createTable(table, F);
    cluster.grant(writer, table, "", Action.READ, Action.WRITE);
    cluster.grant(reader, table, "", Action.READ);
    admin().createIndex(table, BY_V);
    admin().createIndex(table, SCANNED);
    admin().createIndex(table, EMBEDDED);
  }

  private static DeliAdmin admin() throws IOException {
    return DeliAdmin.of(cluster.connection());
  }

  @Test
  void whoMayNotSeeTheDescriptorWritesAndQueriesAllTheSame() throws Exception {
    write(put("r", A, System.currentTimeMillis()));
    assertThat(entries()).isEqualTo(1);
    assertThat(find(writer)).containsExactly("r");
    assertThat(find(reader)).containsExactly("r");
  }

  @Test
  void tablesWithoutIndexStayUsable() throws Exception {
    TableName plain = TableName.valueOf("plain");
    cluster.utility().createTable(plain, F);
    cluster.grant(writer, plain, "", Action.READ, Action.WRITE);
    Put put = put("r", A, 5);
    byte[] found =
        cluster.as(
            writer,
            connection -> {
              try (Table unindexed = connection.getTable(plain)) {
                unindexed.put(put);
                return unindexed.get(new Get(put.getRow())).getValue(F, V);
              }
            });
    assertThat(found).isEqualTo(A);
  }

  /** As by {@code alter} in HBase's shell; the index is in use all the same. */
  @Test
  void whoMayNotSeeTheDescriptorWritesNothingUnindexedIfTheCoprocessorIsGone() throws Exception {
    try (Admin hbase = cluster.connection().getAdmin()) {
      hbase.modifyTable(
          TableDescriptorBuilder.newBuilder(hbase.getDescriptor(table))
              .removeCoprocessor("io.deli.coprocessor.DeliRegionObserver")
              .build());
    }
    assertThatThrownBy(() -> write(put("r", A, System.currentTimeMillis())))
        .isInstanceOf(IndexUnavailableException.class)
        .hasMessageContainingAll("whether table " + table, index.getNameAsString());
    try (Table plain = cluster.connection().getTable(table)) {
      assertThat(plain.exists(new Get(Bytes.toBytes("r")))).isFalse();
    }
  }

  @Test
  void aReaderWithoutWritePermissionHasGarbageRepaired() throws Exception {
    Index of = Index.of(table, BY_V);
    try (Table entries = cluster.connection().getTable(index)) {
      entries.put(of.codec().put(new Entry(A, Bytes.toBytes("gone"), 5, WriteId.NONE)));
    }
    write(put("r", A, 6));
    cluster.as(
        reader,
        connection -> {
          assertThat(find(connection)).containsExactly("r");
          cluster.utility().waitFor(20_000, () -> entries() == 1);
          return null;
        });
    assertThat(find(reader)).containsExactly("r");
  }

  @Test
  void whoMayNotReadTheTableLearnsNothingByQueries() throws Exception {
    write(put("r", A, System.currentTimeMillis()));
    User stranger = cluster.user("stranger");
    cluster.grant(stranger, index, "", Action.READ);
    assertThatThrownBy(() -> find(stranger)).hasRootCauseInstanceOf(AccessDeniedException.class);
  }

  @Test
  void whoMayNotReadTheColumnLearnsNothingByTheEndpoint() throws Exception {
    write(put("r1", Bytes.toBytes("v1"), System.currentTimeMillis()));
    User stranger = cluster.user("caller");
    cluster.grant(stranger, table, "w", Action.READ, Action.WRITE);
    HostileAttempts attempts = new HostileAttempts();
    cluster.asPlain(
        stranger,
        connection -> {
          try (Table guarded = connection.getTable(table)) {
            HostileRequests requests =
                new HostileRequests(
                    new HostileBytes(new Random(1)), guarded, F, "by_v", "scanned", "embedded");
            for (MethodDescriptor method : RegionService.DESCRIPTOR.getMethods()) {
              boolean open = List.of("Describe", "Kept", "Present").contains(method.getName());
              assertThat(requests.isDenied(method, V)).as(method.getName()).isEqualTo(!open);
            }
            requests.expectNothing(attempts, 100);
          }
        });
    attempts.report("requests of a stranger");
  }

  @Test
  void whatAnybodyWroteIsCollected() throws Exception {
    long now = System.currentTimeMillis();
    write(put("r", A, now - 2));
    write(put("r", Bytes.toBytes("b"), now - 1));
    write(put("r", Bytes.toBytes("c"), now));
    assertThat(entries()).isEqualTo(3);
    admin().collect(table, ProgressListener.NONE);
    assertThat(entries()).isEqualTo(1);
  }

  @Test
  void whatALabelHidesIsNoHitAndNoGarbage() throws Exception {
    User cleared = cluster.user("cleared");
    cluster.grant(cleared, table, "", Action.READ, Action.WRITE);
    admin().mirrorPermissions(table);
    cluster.mayReadLabel(cleared);
    Put hidden = put("hidden", A, 5);
    hidden.setCellVisibility(new CellVisibility(SecuredCluster.LABEL));
    // Old enough to be repaired, were it garbage.
    try (Table base = cluster.connection().getTable(table);
        Table entries = cluster.connection().getTable(index)) {
      base.put(hidden);
      Index of = Index.of(table, BY_V);
      entries.put(of.codec().put(new Entry(A, hidden.getRow(), 5, WriteId.NONE)));
    }
    cluster.as(
        writer,
        connection -> {
          assertThat(find(connection)).isEmpty();
          cluster.utility().waitFor(20_000, () -> connection.readMetrics().reported() == 1);
          return null;
        });
    assertThat(find(cleared)).containsExactly("hidden");
  }

  @Test
  void whatACellKeepsToOthersIsNoHitAndNoGarbage() throws Exception {
    User guest = cluster.user("guest");
    cluster.grant(guest, index, "", Action.READ);
    cluster.letCellsGrant(table);
    Put shown = put("shown", A, 5);
    shown.setACL(guest.getShortName(), new Permission(Action.READ));
    Put hidden = put("hidden", A, 5);
    hidden.setACL(writer.getShortName(), new Permission(Action.READ));
    // Old enough to be repaired, were they garbage.
    try (Table base = cluster.connection().getTable(table);
        Table entries = cluster.connection().getTable(index)) {
      Index of = Index.of(table, BY_V);
      for (Put put : List.of(shown, hidden)) {
        base.put(put);
        entries.put(of.codec().put(new Entry(A, put.getRow(), 5, WriteId.NONE)));
      }
    }
    cluster.as(
        guest,
        connection -> {
          assertThat(find(connection)).containsExactly("shown");
          cluster.utility().waitFor(20_000, () -> connection.readMetrics().failed() == 1);
          return null;
        });
    assertThat(find(reader)).containsExactly("hidden", "shown");
  }

  @Test
  void permissionsOnTheIndexFollowThoseOnTheTable() throws Exception {
    IndexDefinition partial =
        IndexDefinition.on("partial", Column.of(F, V)).withCondition(Column.parse("f:w"), A);
    admin().createIndex(table, partial);
    User ofColumn = cluster.user("of_column");
    User ofOther = cluster.user("of_other");
    cluster.grant(ofColumn, table, "v", Action.READ);
    cluster.grant(ofOther, table, "w", Action.READ);
    cluster.revoke(writer, table, Action.READ, Action.WRITE);
    List<IndexPermission> changed =
        admin().mirrorPermissions(table).stream().filter(IndexPermission::changed).toList();
    assertThat(changed)
        .extracting(each -> each.user() + each.actions())
        .containsExactlyInAnyOrder("of_column[READ]", "writer[]", "writer[]");
    assertThat(admin().mirrorPermissions(table)).noneMatch(IndexPermission::changed);
    assertThat(find(ofColumn)).isEmpty();
    assertThatThrownBy(() -> write(put("r", A, 5).addColumn(F, Bytes.toBytes("w"), 5, A)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void whoMayNotSeePermissionsCreatesNoIndex() throws Exception {
    User creator = cluster.user("creator");
    cluster.grant(creator, table, "", Action.READ, Action.CREATE);
    IndexDefinition another = IndexDefinition.on("another", Column.of(F, Bytes.toBytes("w")));
    assertThatThrownBy(
            () ->
                cluster.as(
                    creator,
                    connection -> {
                      DeliAdmin.of(connection).createIndex(table, another);
                      return null;
                    }))
        .hasStackTraceContaining(AccessDeniedException.class.getName());
    assertThat(admin().list(table)).containsExactlyInAnyOrder(BY_V, SCANNED, EMBEDDED);
    try (Admin hbase = cluster.connection().getAdmin()) {
      assertThat(hbase.tableExists(Index.of(table, another).table())).isFalse();
    }
  }

  /** Who made a table has all permissions on it, which here nobody may grant him once more. */
  @Test
  void whoMayAdministerATableOfASuperuserCreatesItsIndex() throws Exception {
    IndexDefinition another = IndexDefinition.on("another", Column.of(F, Bytes.toBytes("w")));
    List<IndexDefinition> created =
        cluster.as(
            cluster.administrator(),
            connection -> {
              connection.getDeliAdmin().createIndex(table, another);
              return connection.getDeliAdmin().list(table);
            });
    assertThat(created).contains(another);
  }

  /** The master looks at the index table by itself, on which this user has no permission. */
  @Test
  void whoMayRestoreATableIsToldOfItsIndex() throws Exception {
    User owner = cluster.user("owner");
    cluster.grant(owner, table, "", Action.ADMIN);
    String snapshot = "of_" + table;
    cluster.as(
        owner,
        connection -> {
          try (Admin hbase = connection.getAdmin()) {
            hbase.snapshot(snapshot, table);
            hbase.disableTable(table);
            assertThatThrownBy(() -> hbase.restoreSnapshot(snapshot, false))
                .hasStackTraceContaining("disable '" + index + "'");
          }
          return null;
        });
    try (Admin hbase = cluster.connection().getAdmin()) {
      hbase.disableTable(index);
    }
    boolean restored =
        cluster.as(
            owner,
            connection -> {
              try (Admin hbase = connection.getAdmin()) {
                hbase.restoreSnapshot(snapshot, false);
                return hbase.isTableDisabled(table);
              }
            });
    assertThat(restored).isTrue();
  }

  /** The master looks at the base table by itself, on which this user has no permission. */
  @Test
  void whoMayEmptyAnIndexTableIsToldOfItsUse() throws Exception {
    User owner = cluster.user("owner of entries");
    cluster.grant(owner, index, "", Action.ADMIN);
    cluster.as(
        owner,
        connection -> {
          try (Admin hbase = connection.getAdmin()) {
            hbase.disableTable(index);
            assertThatThrownBy(() -> hbase.truncateTable(index, false))
                .hasStackTraceContaining("deli disable-index " + table);
          }
          return null;
        });
  }

  private static Put put(String row, byte[] value, long timestamp) {
    return new Put(Bytes.toBytes(row)).addColumn(F, V, timestamp, value);
  }

  private void write(Put put) throws Exception {
    cluster.as(
        writer,
        connection -> {
          try (DeliTable guarded = connection.getTable(table)) {
            guarded.put(put);
            return null;
          }
        });
  }

  private List<String> find(User user) throws Exception {
    return cluster.as(user, this::find);
  }

  /** Through an index, and by scans that their servers filter. */
  private List<String> find(DeliConnection connection) throws IOException {
    List<String> rows = find(connection, by(BY_V));
    assertThat(find(connection, by(SCANNED))).isEqualTo(rows);
    assertThat(find(connection, by(EMBEDDED))).isEqualTo(rows);
    List<String> newest = find(connection, by(EMBEDDED).mostRecent(1));
    assertThat(rows).containsAll(newest);
    assertThat(newest).hasSize(Math.min(1, rows.size()));
    return rows;
  }

  private static ValueQuery by(IndexDefinition index) {
    return ValueQuery.on(index.name()).equalTo(A);
  }

  private List<String> find(DeliConnection connection, ValueQuery query) throws IOException {
    try (DeliTable guarded = connection.getTable(table)) {
      return TestTable.find(guarded, query);
    }
  }

  private int entries() throws IOException {
    return TestTable.cells(cluster.connection(), index, new Scan().readAllVersions()).size();
  }
}
