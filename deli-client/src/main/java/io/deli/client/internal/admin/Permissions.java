package io.deli.client.internal.admin;

import io.deli.client.IndexPermission;
import io.deli.index.Column;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.TablePermission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Gives users the permissions on index tables that they have on the base table.
 *
 * <p>Who has them on the whole table gets them all. Who may read or write the indexed column, or
 * its family, may do so with its index, and nothing more. Permissions on the namespace or all
 * tables hold for index tables by themselves.
 */
public record Permissions(Connection connection) {
  /** Whether the cluster asks for permissions. */
  public boolean enforced() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION);
    }
  }

  /** Makes those on the index table like those on the base; whoever has others loses them. */
  public List<IndexPermission> mirror(Index index) throws IOException {
    List<IndexPermission> permissions = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      Map<String, List<TablePermission>> onBase = byUser(admin, index.baseTable());
      Map<String, List<TablePermission>> present = byUser(admin, index.table());
      Set<String> users = new TreeSet<>(onBase.keySet());
      users.addAll(present.keySet());
      for (String user : users) {
        Set<Action> wanted = onIndex(onBase.getOrDefault(user, List.of()), index);
        List<TablePermission> given = present.getOrDefault(user, List.of());
        if (!wanted.isEmpty() || !given.isEmpty()) {
          boolean changed = change(admin, index.table(), user, wanted, given);
          permissions.add(new IndexPermission(index.table(), user, wanted, changed));
        }
      }
    }
    return permissions;
  }

  /**
   * Gives a user permissions on a whole table, and no others on it or its parts. Leaves a
   * superuser's, who may do everything, and only a superuser says so.
   */
  private static boolean change(
      Admin admin, TableName table, String user, Set<Action> wanted, List<TablePermission> given)
      throws IOException {
    List<TablePermission> unwanted =
        given.stream().filter(each -> wanted.isEmpty() || each.hasFamily()).toList();
    boolean granted =
        wanted.isEmpty()
            || given.stream().anyMatch(each -> !each.hasFamily() && actions(each).equals(wanted));
    try {
      if (!granted) {
        Permission.Builder whole = Permission.newBuilder(table);
        admin.grant(
            new UserPermission(user, whole.withActions(wanted.toArray(Action[]::new)).build()),
            false);
      }
      for (TablePermission each : unwanted) {
        // Without actions: else HBase goes by the user's first record, whichever part it is of.
        Permission.Builder part = Permission.newBuilder(table).withFamily(each.getFamily());
        admin.revoke(new UserPermission(user, part.withQualifier(each.getQualifier()).build()));
      }
    } catch (AccessDeniedException e) {
      if (String.valueOf(e.getMessage()).contains("superuser")) {
        return false;
      }
      throw e;
    }
    return !granted || !unwanted.isEmpty();
  }

  private static Map<String, List<TablePermission>> byUser(Admin admin, TableName table)
      throws IOException {
    Map<String, List<TablePermission>> users = new TreeMap<>();
    for (UserPermission each :
        admin.getUserPermissions(GetUserPermissionsRequest.newBuilder(table).build())) {
      if (each.getPermission() instanceof TablePermission given) {
        users.computeIfAbsent(each.getUser(), user -> new ArrayList<>()).add(given);
      }
    }
    return users;
  }

  /** Whoever uses an index uses all its columns. */
  private static Set<Action> onIndex(List<TablePermission> onBase, Index index) {
    Set<Action> actions = EnumSet.allOf(Action.class);
    for (Column column : index.columns()) {
      Set<Action> onColumn = EnumSet.noneOf(Action.class);
      onBase.forEach(given -> onColumn.addAll(onIndex(given, column)));
      actions.retainAll(onColumn);
    }
    return actions;
  }

  private static Set<Action> onIndex(TablePermission given, Column column) {
    Set<Action> actions = actions(given);
    if (given.hasFamily()) {
      boolean covers =
          Bytes.equals(given.getFamily(), column.family())
              && (!given.hasQualifier() || Bytes.equals(given.getQualifier(), column.qualifier()));
      actions.retainAll(covers ? EnumSet.of(Action.READ, Action.WRITE) : Set.of());
    }
    return actions;
  }

  private static Set<Action> actions(Permission given) {
    Set<Action> actions = EnumSet.noneOf(Action.class);
    actions.addAll(List.of(given.getActions()));
    return actions;
  }
}
