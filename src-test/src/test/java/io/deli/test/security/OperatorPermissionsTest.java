package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.IndexPermission;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Permissions that operators mirror. */
class OperatorPermissionsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] E = Bytes.toBytes("e");
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

  private static void grant(Permission.Builder permission, String user, Action... actions)
      throws IOException {
    try (Admin hbase = cluster.connection().getAdmin()) {
      hbase.grant(new UserPermission(user, permission.withActions(actions).build()), false);
    }
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
}
