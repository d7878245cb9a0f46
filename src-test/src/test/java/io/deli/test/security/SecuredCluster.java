package io.deli.test.security;

import io.deli.client.DeliConnection;
import io.deli.coprocessor.DeliMasterObserver;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlConstants;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityTestUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** An HBase that asks for permissions and knows labels; the test itself is its superuser. */
final class SecuredCluster {
  static final String LABEL = "secret";
  private static final int PATIENCE_MILLIS = 60_000;

  /** Nobody uses it. */
  private static final TableName WITNESSED = TableName.valueOf("witnessed");

  private static final AtomicInteger WITNESSES = new AtomicInteger();

  private final HBaseTestingUtility utility = new HBaseTestingUtility();
  private User administrator;

  static SecuredCluster start() throws Exception {
    SecuredCluster cluster = new SecuredCluster();
    Configuration conf = cluster.utility.getConfiguration();
    MiniCluster.share(conf);
    SecureTestUtil.enableSecurity(conf);
    VisibilityTestUtil.enableVisiblityLabels(conf);
    String masters = CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY;
    conf.setStrings(masters, conf.get(masters), DeliMasterObserver.class.getName());
    cluster.utility.startMiniCluster();
    cluster.utility.waitTableAvailable(PermissionStorage.ACL_TABLE_NAME, PATIENCE_MILLIS);
    cluster.utility.waitTableAvailable(VisibilityConstants.LABELS_TABLE_NAME, PATIENCE_MILLIS);
    cluster.utility.waitFor(PATIENCE_MILLIS, cluster::addLabel);
    cluster.administrator = cluster.user("administrator");
    cluster.grantAll(cluster.administrator);
    return cluster;
  }

  private boolean addLabel() throws IOException {
    try {
      return VisibilityClient.addLabels(connection(), new String[] {LABEL}).getResultList().stream()
          .noneMatch(result -> result.hasException());
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  HBaseTestingUtility utility() {
    return utility;
  }

  Connection connection() throws IOException {
    return utility.getConnection();
  }

  /** Has all permissions on the tables of a namespace, and is no superuser. */
  User administrator() {
    return administrator;
  }

  private void grantAll(User user) throws IOException {
    Permission all =
        Permission.newBuilder("default").withActions(Permission.Action.values()).build();
    grant(connection(), user.getShortName(), all);
  }

  static void grant(Connection connection, String user, Permission permission) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.grant(new UserPermission(user, permission), false);
    }
  }

  /** Without groups or permissions. */
  User user(String name) {
    return User.createUserForTesting(utility.getConfiguration(), name, new String[0]);
  }

  void mayReadLabel(User user) throws IOException {
    try {
      VisibilityClient.setAuths(connection(), new String[] {LABEL}, user.getShortName());
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  void grant(User user, TableName table, String qualifier, Permission.Action... actions)
      throws IOException {
    Permission.Builder permission = Permission.newBuilder(table).withActions(actions);
    if (!qualifier.isEmpty()) {
      permission =
          permission.withFamily(Bytes.toBytes("f")).withQualifier(Bytes.toBytes(qualifier));
    }
    grant(connection(), user.getShortName(), permission.build());
  }

  /** Without a permission on the table one sees those cells that grant it themselves. */
  void letCellsGrant(TableName table) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setValue(AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT, "false")
              .build());
    }
  }

  void revoke(User user, TableName table, Permission.Action... actions) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.revoke(
          new UserPermission(
              user.getShortName(), Permission.newBuilder(table).withActions(actions).build()));
    }
  }

  /**
   * Waits until all servers of this JVM know what was granted and revoked. Who grants is told when
   * ZooKeeper has it, from which each server hears later, but of all changes in their order.
   */
  static void awaitPermissions(HBaseTestingUtility utility) throws IOException {
    User last =
        User.createUserForTesting(
            utility.getConfiguration(), "witness" + WITNESSES.incrementAndGet(), new String[0]);
    Permission read = Permission.newBuilder(WITNESSED).withActions(Permission.Action.READ).build();
    grant(utility.getConnection(), last.getShortName(), read);
    MiniHBaseCluster cluster = utility.getMiniHBaseCluster();
    utility.waitFor(
        PATIENCE_MILLIS,
        5,
        () ->
            Stream.concat(
                    Stream.of(cluster.getMaster()),
                    cluster.getLiveRegionServerThreads().stream()
                        .map(RegionServerThread::getRegionServer))
                .map(server -> server.getAccessChecker().getAuthManager())
                .allMatch(
                    known -> known.authorizeUserTable(last, WITNESSED, Permission.Action.READ)));
  }

  /** What a user does. */
  @FunctionalInterface
  interface Action<T> {
    T run(DeliConnection connection) throws Exception;
  }

  <T> T as(User user, Action<T> action) throws Exception {
    awaitPermissions(utility);
    return user.runAs(
        (PrivilegedExceptionAction<T>)
            () -> {
              try (DeliConnection connection = MiniCluster.connect(utility.getConfiguration())) {
                return action.run(connection);
              }
            });
  }

  /** By a connection of HBase's own that asks once. */
  void asPlain(User user, PlainAction action) throws Exception {
    awaitPermissions(utility);
    Configuration once = new Configuration(utility.getConfiguration());
    once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    user.runAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (Connection connection = ConnectionFactory.createConnection(once)) {
                action.run(connection);
                return null;
              }
            });
  }

  /** What a user does by HBase's own client. */
  @FunctionalInterface
  interface PlainAction {
    void run(Connection connection) throws Exception;
  }

  void stop() throws Exception {
    utility.shutdownMiniCluster();
  }
}
