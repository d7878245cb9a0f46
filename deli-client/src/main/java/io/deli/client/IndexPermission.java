package io.deli.client;

import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.access.Permission;

/**
 * The permissions of a user on an index table.
 *
 * @param user as HBase names it; a group begins with {@code @}
 * @param actions empty if everything was revoked
 * @param changed whether it was different before
 */
public record IndexPermission(
    TableName indexTable, String user, Set<Permission.Action> actions, boolean changed) {
  public IndexPermission {
    actions = Set.copyOf(actions);
  }
}
