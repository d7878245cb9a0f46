package io.deli.test.security;

import io.deli.test.cluster.MiniCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.hadoop.hbase.security.token.TokenProvider;
import org.apache.hadoop.hbase.security.visibility.VisibilityTestUtil;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * An HBase that knows its users by Kerberos alone, on an HDFS and a ZooKeeper that do, in this JVM,
 * which it takes for itself. All that is sent is encrypted; the test itself is the servers' user.
 */
final class KerberosCluster {
  private static final String SERVERS = "hbase/localhost";
  private static final String WEB = "HTTP/localhost";
  private static final String COORDINATION = "zookeeper/localhost";
  private static final int PATIENCE_MILLIS = 60_000;

  private final HBaseTestingUtility utility = new HBaseTestingUtility();
  private final MiniKdc kdc;
  private final File keytab;
  private final Path directory;

  private KerberosCluster(Path directory) throws Exception {
    this.directory = directory;
    keytab = directory.resolve("keytab").toFile();
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
  }

  /**
   * Starts it.
   *
   * @param users whose keys are in the keytab
   */
  static KerberosCluster start(Path directory, String... users) throws Exception {
    KerberosCluster cluster = new KerberosCluster(directory);
    cluster.kdc.start();
    cluster.kdc.createPrincipal(cluster.keytab, SERVERS, WEB, COORDINATION);
    for (String user : users) {
      cluster.kdc.createPrincipal(cluster.file(user), user);
    }
    cluster.secureZooKeeper();
    cluster.configure();
    cluster.utility.startMiniCluster(StartMiniClusterOption.builder().build());
    cluster.utility.waitTableAvailable(PermissionStorage.ACL_TABLE_NAME, PATIENCE_MILLIS);
    return cluster;
  }

  private File file(String user) {
    return directory.resolve(user + ".keytab").toFile();
  }

  String principal(String user) {
    return user + "@" + kdc.getRealm();
  }

  private void secureZooKeeper() {
    System.setProperty(
        "zookeeper.authProvider.1", "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    System.setProperty("zookeeper.server.principal", principal(COORDINATION));
    Map<String, AppConfigurationEntry> logins =
        Map.of("Server", login(COORDINATION), "Client", login(SERVERS));
    javax.security.auth.login.Configuration.setConfiguration(
        new javax.security.auth.login.Configuration() {
          @Override
          public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            AppConfigurationEntry login = logins.get(name);
            return login == null ? null : new AppConfigurationEntry[] {login};
          }
        });
  }

  private AppConfigurationEntry login(String user) {
    return new AppConfigurationEntry(
        "com.sun.security.auth.module.Krb5LoginModule",
        LoginModuleControlFlag.REQUIRED,
        Map.of(
            "useKeyTab", "true",
            "storeKey", "true",
            "doNotPrompt", "true",
            "keyTab", keytab.getPath(),
            "principal", principal(user)));
  }

  private void configure() throws Exception {
    Configuration conf = utility.getConfiguration();
    MiniCluster.share(conf);
    conf.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab(principal(SERVERS), keytab.getPath());
    SecureTestUtil.enableSecurity(conf);
    VisibilityTestUtil.enableVisiblityLabels(conf);
    conf.setStrings(
        CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
        conf.get(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY),
        TokenProvider.class.getName());
    conf.set("hadoop.security.authentication", "kerberos");
    conf.set("hbase.security.authentication", "kerberos");
    conf.set("hadoop.rpc.protection", "privacy");
    conf.set("hbase.rpc.protection", "privacy");
    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      conf.set(server + ".kerberos.principal", principal(SERVERS));
      conf.set(server + ".keytab.file", keytab.getPath());
    }
    secureHdfs(conf);
  }

  private void secureHdfs(Configuration conf) {
    for (String server : new String[] {"dfs.namenode", "dfs.datanode"}) {
      conf.set(server + ".kerberos.principal", principal(SERVERS));
      conf.set(server + ".keytab.file", keytab.getPath());
    }
    conf.set("dfs.web.authentication.kerberos.principal", principal(WEB));
    conf.set("dfs.web.authentication.kerberos.keytab", keytab.getPath());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("dfs.http.policy", "HTTP_ONLY");
    conf.setBoolean("ignore.secure.ports.for.testing", true);
  }

  HBaseTestingUtility utility() {
    return utility;
  }

  /** What a user does. */
  @FunctionalInterface
  interface Action<T> {
    T run(Connection connection) throws Exception;
  }

  /** Logs a user in by its keytab. */
  UserGroupInformation user(String user) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal(user), file(user).getPath());
  }

  <T> T as(UserGroupInformation user, Action<T> action) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<T>)
            () -> {
              try (Connection connection =
                  ConnectionFactory.createConnection(utility.getConfiguration())) {
                return action.run(connection);
              }
            });
  }

  /** Settings that have pages ask for a ticket, of the administrators alone. */
  Configuration withGuardedPages(String admins) {
    Configuration conf = new Configuration(utility.getConfiguration());
    conf.set("hbase.security.authentication.ui", "kerberos");
    conf.set("hbase.security.authentication.spnego.kerberos.principal", principal(WEB));
    conf.set("hbase.security.authentication.spnego.kerberos.keytab", keytab.getPath());
    conf.set("hbase.security.authentication.spnego.admin.users", admins);
    return conf;
  }

  /** The {@code Authorization} that a user's browser sends to a page of this host. */
  String negotiation(UserGroupInformation user) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              GSSManager manager = GSSManager.getInstance();
              GSSContext context =
                  manager.createContext(
                      manager.createName("HTTP@localhost", GSSName.NT_HOSTBASED_SERVICE),
                      new Oid("1.3.6.1.5.5.2"),
                      null,
                      GSSContext.DEFAULT_LIFETIME);
              byte[] ticket = context.initSecContext(new byte[0], 0, 0);
              context.dispose();
              return "Negotiate " + Base64.getEncoder().encodeToString(ticket);
            });
  }

  /** The {@code hbase-site.xml} of a process. */
  Path site(String name, Map<String, String> settings) throws IOException {
    Path site = Files.createDirectories(directory.resolve(name));
    Configuration conf = new Configuration(utility.getConfiguration());
    settings.forEach(conf::set);
    MiniCluster.writeSite(conf, site);
    return site;
  }

  /** The same, of one that logs in by a user's keytab. */
  Path siteWithKeytab(String user) throws IOException {
    return site(
        user,
        Map.of(
            "hbase.client.keytab.file", file(user).getPath(),
            "hbase.client.keytab.principal", principal(user)));
  }

  /** The environment of processes. */
  Map<String, String> environment(Path ticketCache) {
    return Map.of(
        "JDK_JAVA_OPTIONS",
        "-XX:TieredStopAtLevel=1 -Djava.security.krb5.conf=" + kdc.getKrb5conf(),
        "KRB5CCNAME",
        ticketCache.toString());
  }

  /** Keeps a user's ticket in a file, as {@code kinit} does. */
  Path ticketCache(String user) throws Exception {
    String password = "password of " + user;
    kdc.createPrincipal(user, password);
    KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
    client.setKdcHost(kdc.getHost());
    client.setKdcTcpPort(kdc.getPort());
    client.setKdcRealm(kdc.getRealm());
    client.setAllowUdp(false);
    client.init();
    Path cache = directory.resolve(user + ".tickets");
    client.storeTicket(client.requestTgt(principal(user), password), cache.toFile());
    return cache;
  }

  void stop() throws Exception {
    utility.shutdownMiniCluster();
    kdc.stop();
  }
}
