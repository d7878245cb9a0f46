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
import java.util.function.Function;
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
      Map<String, Set<Action>> wanted =
          byUser(admin, index.baseTable(), given -> onIndex(given, index.column()));
      for (Column each : index.columns()) {
        retain(wanted, byUser(admin, index.baseTable(), given -> onIndex(given, each)));
      }
      Map<String, Set<Action>> present = byUser(admin, index.table(), Permissions::actions);
      for (Map.Entry<String, Set<Action>> each : wanted.entrySet()) {
        String user = each.getKey();
        UserPermission permission = permission(user, index.table(), each.getValue());
        boolean changed =
            !each.getValue().equals(present.remove(user))
                && change(() -> admin.grant(permission, false));
        permissions.add(new IndexPermission(index.table(), user, each.getValue(), changed));
      }
      for (Map.Entry<String, Set<Action>> each : present.entrySet()) {
        UserPermission permission = permission(each.getKey(), index.table(), each.getValue());
        boolean changed = change(() -> admin.revoke(permission));
        permissions.add(new IndexPermission(index.table(), each.getKey(), Set.of(), changed));
      }
    }
    return permissions;
  }

  /** Whoever uses an index uses all its columns. */
  private static void retain(Map<String, Set<Action>> users, Map<String, Set<Action>> others) {
    users.forEach((user, actions) -> actions.retainAll(others.getOrDefault(user, Set.of())));
    users.values().removeIf(Set::isEmpty);
  }

  private interface Change {
    void make() throws IOException;
  }

  /** Makes a change, unless it is a superuser's: they may do everything, and only they say so. */
  private static boolean change(Change change) throws IOException {
    try {
      change.make();
      return true;
    } catch (AccessDeniedException e) {
      if (String.valueOf(e.getMessage()).contains("superuser")) {
        return false;
      }
      throw e;
    }
  }

  private static Map<String, Set<Action>> byUser(
      Admin admin, TableName table, Function<TablePermission, Set<Action>> counted)
      throws IOException {
    Map<String, Set<Action>> users = new TreeMap<>();
    for (UserPermission each :
        admin.getUserPermissions(GetUserPermissionsRequest.newBuilder(table).build())) {
      if (each.getPermission() instanceof TablePermission given) {
        Set<Action> actions = counted.apply(given);
        if (!actions.isEmpty()) {
          users.computeIfAbsent(each.getUser(), u -> EnumSet.noneOf(Action.class)).addAll(actions);
        }
      }
    }
    return users;
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

  private static UserPermission permission(String user, TableName table, Set<Action> actions) {
    return new UserPermission(
        user, Permission.newBuilder(table).withActions(actions.toArray(Action[]::new)).build());
  }
}
