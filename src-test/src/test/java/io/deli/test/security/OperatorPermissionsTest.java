package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.IndexPermission;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Operators of indexes who do not see all that is in the table, and permissions they mirror. */
class OperatorPermissionsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] E = Bytes.toBytes("e");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final IndexDefinition BY_V = IndexDefinition.on("by_v", Column.of(F, V));

  @AutoClose("stop")
  private static SecuredCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecuredCluster.start();
  }

  private static DeliAdmin admin() throws IOException {
    return DeliAdmin.of(cluster.connection());
  }

  /** As by {@code grant 'bob', 'RW', 't.by_v', 'e'} in HBase's shell. */
  @Test
  void permissionsOnPartsOfAnIndexTableAreTakenAway() throws Exception {
    TableName table = TableName.valueOf("parts");
    cluster.utility().createTable(table, F);
    admin().createIndex(table, BY_V);
    TableName index = Index.of(table, BY_V).table();
    cluster.grant(cluster.user("reader"), table, "", Action.READ);
    grant(Permission.newBuilder(index).withFamily(E), "bob", Action.READ, Action.WRITE);
    grant(Permission.newBuilder(index).withFamily(E).withQualifier(V), "bob", Action.READ);
    grant(Permission.newBuilder(index), "bob", Action.READ);
    grant(Permission.newBuilder(index).withFamily(E), "reader", Action.READ, Action.WRITE);
    assertThat(admin().mirrorPermissions(table))
        .filteredOn(IndexPermission::changed)
        .extracting(each -> each.user() + each.actions())
        .containsExactlyInAnyOrder("bob[]", "reader[READ]");
    assertThat(permissions(index, "bob")).isEmpty();
    assertThat(permissions(index, "reader"))
        .containsExactly(Permission.newBuilder(index).withActions(Action.READ).build());
    assertThat(admin().mirrorPermissions(table)).noneMatch(IndexPermission::changed);
  }

  /** A clone of a snapshot has no index table until it is built. */
  @Test
  void permissionsOnATableThatOnlyHasTheNameOfAnIndexTableAreLeft() throws Exception {
    TableName original = TableName.valueOf("original");
    cluster.utility().createTable(original, F);
    admin().createIndex(original, BY_V);
    TableName clone = TableName.valueOf("clone");
    try (Admin hbase = cluster.connection().getAdmin()) {
      hbase.snapshot("of_original", original);
      hbase.cloneSnapshot("of_original", clone);
    }
    cluster.grant(cluster.user("reader"), clone, "", Action.READ);
    TableName foreign = Index.of(clone, BY_V).table();
    assertThat(admin().mirrorPermissions(clone)).isEmpty();
    assertThat(permissions(foreign, "reader")).isEmpty();
    cluster.utility().createTable(foreign, F);
    grant(Permission.newBuilder(foreign), "bob", Action.READ);
    assertThat(admin().mirrorPermissions(clone)).isEmpty();
    assertThat(permissions(foreign, "reader")).isEmpty();
    assertThat(permissions(foreign, "bob")).hasSize(1);
    admin().disable(original, BY_V.name());
    grant(Permission.newBuilder(original), "reader", Action.READ);
    assertThat(admin().mirrorPermissions(original))
        .extracting(each -> each.user() + each.actions())
        .contains("reader[READ]");
  }

  private static void grant(Permission.Builder permission, String user, Action... actions)
      throws IOException {
    SecuredCluster.grant(cluster.connection(), user, permission.withActions(actions).build());
  }

  private static List<Permission> permissions(TableName table, String user) throws IOException {
    List<Permission> permissions = new ArrayList<>();
    try (Admin hbase = cluster.connection().getAdmin()) {
      for (UserPermission each :
          hbase.getUserPermissions(GetUserPermissionsRequest.newBuilder(table).build())) {
        if (each.getUser().equals(user)) {
          permissions.add(each.getPermission());
        }
      }
    }
    return permissions;
  }

  @Test
  void anIndexIsNotReadIfRowsAreInAFamilyThatItsCreatorMayNotRead() throws Exception {
    TableName table = TableName.valueOf("families");
    cluster.utility().createTable(table, new byte[][] {F, G});
    try (Admin hbase = cluster.connection().getAdmin()) {
      // Or who creates the index, and so modifies the table, would be given all permissions on it.
      hbase.modifyTable(
          TableDescriptorBuilder.newBuilder(hbase.getDescriptor(table))
              .setValue("OWNER", User.getCurrent().getShortName())
              .build());
    }
    grant(Permission.newBuilder(table).withFamily(G), "of_g", Action.READ);
    grant(Permission.newBuilder(table), "of_g", Action.CREATE, Action.ADMIN);
    grant(Permission.newBuilder("default"), "of_g", Action.CREATE, Action.ADMIN);
    put(table, new Put(ROW).addColumn(F, V, V));
    assertNotReadWhenMadeBy(cluster.user("of_g"), table);
  }

  @Test
  void anIndexIsNotReadIfRowsHaveALabelThatItsCreatorLacks() throws Exception {
    TableName table = TableName.valueOf("labelled");
    cluster.utility().createTable(table, F);
    Put hidden = new Put(ROW).addColumn(F, V, V);
    hidden.setCellVisibility(new CellVisibility(SecuredCluster.LABEL));
    put(table, hidden);
    assertNotReadWhenMadeBy(cluster.administrator(), table);
  }

  /** For those who may not read the table's descriptor it may hold an index. */
  @Test
  void theCoprocessorStaysBesideATableThatWhoDropsTheLastIndexDoesNotSee() throws Exception {
    TableName table = TableName.valueOf("archived");
    cluster.utility().createTable(table, F);
    cluster.utility().createTable(TableName.valueOf("archived.archive"), F);
    grant(Permission.newBuilder(table), "dropper", Action.CREATE, Action.ADMIN);
    grant(Permission.newBuilder(table), "writer", Action.WRITE);
    admin().createIndex(table, BY_V);
    cluster.as(
        cluster.user("dropper"),
        connection -> {
          connection.getDeliAdmin().dropIndex(table, "by_v");
          return null;
        });
    assertThat(admin().list(table)).isEmpty();
    cluster.as(
        cluster.user("writer"),
        connection -> {
          try (Table rows = connection.getTable(table)) {
            rows.put(new Put(ROW).addColumn(F, V, V));
          }
          return null;
        });
  }

  /** The table of a build is its builder's. */
  @Test
  void whoMayNotDeleteWhatABuildLeftIsToldThatTheIndexIsDisabled() throws Exception {
    TableName table = TableName.valueOf("left");
    cluster.utility().createTable(table, F);
    grant(Permission.newBuilder(table), "disabler", Action.CREATE, Action.ADMIN);
    admin().createIndex(table, BY_V);
    TableName index = Index.of(table, BY_V).table();
    TableName build = IndexDefinitions.checkpointTable(index);
    try (Admin hbase = cluster.connection().getAdmin()) {
      hbase.createTable(
          TableDescriptorBuilder.newBuilder(build)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
              .setValue("deli.build.of", index.getNameAsString())
              .build());
      cluster.as(
          cluster.user("disabler"),
          connection -> {
            assertThatThrownBy(() -> connection.getDeliAdmin().disable(table, "by_v"))
                .hasMessageContainingAll("left is disabled", "left.by_v.*", "deli disable-index");
            return null;
          });
      assertThat(admin().describe(table, "by_v").state()).isEqualTo(IndexState.DISABLED);
      admin().disable(table, "by_v");
      assertThat(hbase.tableExists(build)).isFalse();
    }
  }

  private static void put(TableName table, Put put) throws IOException {
    try (Table rows = cluster.connection().getTable(table)) {
      rows.put(put);
    }
  }

  private static void assertNotReadWhenMadeBy(User creator, TableName table) throws Exception {
    cluster.as(
        creator,
        connection -> {
          DeliAdmin deli = connection.getDeliAdmin();
          assertThatThrownBy(() -> deli.createIndex(table, BY_V))
              .hasMessageContainingAll("has rows", "may not read", "Build it");
          assertThat(deli.describe(table, "by_v").state()).isEqualTo(IndexState.BUILDING);
          deli.disable(table, "by_v");
          assertThatThrownBy(() -> deli.enable(table, "by_v", ExistingRows.REFUSE))
              .hasMessageContainingAll("has rows", "may not read", "Build it");
          return null;
        });
    assertThat(admin().describe(table, "by_v").state()).isEqualTo(IndexState.BUILDING);
  }
}
