package io.deli.test.cluster;

import io.deli.client.DeliConnection;
import io.deli.config.DeliSettings;
import io.deli.coprocessor.DeliMasterObserver;
import io.deli.lab.cluster.Hdfs;
import io.deli.lab.fault.TableFaults;
import io.deli.tools.embedded.EmbeddedHBase;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;

/**
 * A real HBase with two region servers, in this JVM; started on first use, shared by all test
 * classes, stopped with the JVM. Tests keep apart by table names.
 *
 * <p>It has its files on the machine's disk, for HDFS in the same JVM takes a fifth of the
 * processors' time, or on HDFS if the system property {@code deli.test.hdfs} is true.
 */
public final class MiniCluster {
  private static final int REGION_SERVERS = 2;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int DAY_MILLIS = 86_400_000;
  private static final int TEN_MINUTES_MILLIS = 600_000;
  private static final int CHUNK_BYTES = 512 << 10;
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static HBaseTestingUtility utility;

  private MiniCluster() {}

  /** HBase's own handle on the running cluster: flush, compact, split, move, kill. */
  public static synchronized HBaseTestingUtility utility() {
    if (utility == null) {
      utility = start();
    }
    return utility;
  }

  /** Flushes and compacts {@linkplain #regions all regions} of a table, not only those listed. */
  private static final class Utility extends HBaseTestingUtility {
    @Override
    public void flush(TableName table) throws IOException {
      for (HRegion region : regions(table)) {
        region.flush(true);
      }
    }

    @Override
    public void compact(TableName table, boolean major) throws IOException {
      for (HRegion region : regions(table)) {
        region.compact(major);
      }
    }
  }

  /**
   * The regions of a table at all servers. A server lists a region only when the master has called
   * it open, and an alteration of the table done; such regions are waited for.
   */
  public static List<HRegion> regions(TableName table) {
    MiniHBaseCluster cluster = utility().getMiniHBaseCluster();
    RegionStates states = cluster.getMaster().getAssignmentManager().getRegionStates();
    utility()
        .waitFor(
            PATIENCE_MILLIS,
            5,
            () ->
                cluster.getRegions(table).stream()
                    .map(HRegion::getRegionInfo)
                    .collect(Collectors.toSet())
                    .containsAll(
                        states.getRegionByStateOfTable(table).get(RegionState.State.OPEN)));
    return cluster.getRegions(table);
  }

  /** A plain HBase connection, shared; do not close it. */
  public static Connection connection() {
    try {
      return utility().getConnection();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Opens a connection that keeps indexes; its caller closes it.
   *
   * @param settings more of its configuration: key, value, key, value ...
   */
  public static DeliConnection connect(String... settings) throws IOException {
    return connect(configuration(settings));
  }

  /** The same by a configuration, of this cluster or another. */
  public static DeliConnection connect(Configuration configuration) throws IOException {
    return DeliConnection.wrap(ConnectionFactory.createConnection(configuration));
  }

  /**
   * Opens a connection as an application does that knows of DELI by its configuration only.
   *
   * @param settings more of it: key, value, key, value ...
   */
  public static Connection connectConfigured(String... settings) throws IOException {
    Configuration configuration = configuration(settings);
    configuration.set("hbase.client.connection.impl", DeliConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  /** A copy of the cluster's configuration with more settings, to change at will. */
  public static Configuration configuration(String... settings) {
    Configuration copy = new Configuration(utility().getConfiguration());
    copy.unset(HConstants.HBASE_CLIENT_PAUSE);
    copy.unset(HConstants.HBASE_CLIENT_RETRIES_NUMBER);
    // A process of its own does not know the class.
    copy.unset(LocalFiles.SETTING);
    for (int i = 0; i < settings.length; i += 2) {
      copy.set(settings[i], settings[i + 1]);
    }
    return copy;
  }

  /** The address of its ZooKeeper. */
  public static String zooKeeper() {
    return "localhost:" + configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }

  /** A copy for clients of a short lease: who builds or drops an index waits for it. */
  public static Configuration configuration(long leaseMillis) {
    Configuration copy = configuration();
    copy.setLong(DeliSettings.DEFINITIONS_LEASE.key(), leaseMillis);
    return copy;
  }

  /** Writes a configuration as the {@code hbase-site.xml} of a process of its own. */
  public static void writeSite(Configuration configuration, java.nio.file.Path directory)
      throws IOException {
    Configuration site = new Configuration(false);
    configuration.forEach(e -> site.set(e.getKey(), e.getValue()));
    try (OutputStream out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
  }

  /** A table name that no other test uses. */
  public static TableName uniqueTable(String stem) {
    return TableName.valueOf(stem + "_" + TABLES.incrementAndGet());
  }

  /** The server of the first region of a table. */
  public static ServerName serverOf(TableName table) throws IOException, InterruptedException {
    return utility().getRSForFirstRegionInTable(table).getServerName();
  }

  public static ServerName otherThan(ServerName server) throws IOException {
    return utility().getAdmin().getRegionServers().stream()
        .filter(each -> !each.equals(server))
        .findFirst()
        .orElseThrow();
  }

  /** Moves all regions of a table to a server; returns when they are there. */
  public static void move(TableName table, ServerName to) throws IOException {
    Admin admin = utility().getAdmin();
    for (RegionInfo region : admin.getRegions(table)) {
      admin.move(region.getEncodedNameAsBytes(), to);
    }
    utility().waitUntilNoRegionsInTransition();
  }

  /** Moves the regions of a table to the servers in turn. */
  public static void spread(TableName table) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      List<ServerName> servers = List.copyOf(admin.getRegionServers());
      int next = 0;
      for (RegionInfo region : admin.getRegions(table)) {
        admin.move(region.getEncodedNameAsBytes(), servers.get(next++ % servers.size()));
      }
      utility().waitUntilNoRegionsInTransition();
    }
  }

  /**
   * Empties a table of one family without a trace, which delete markers would leave, and without
   * asking the master, which would refuse it of an index table in use.
   */
  public static void loseFiles(TableName table, byte[] family) throws IOException {
    Configuration conf = utility().getConfiguration();
    Path files = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), table);
    Admin admin = utility().getAdmin();
    admin.disableTable(table);
    for (RegionInfo region : admin.getRegions(table)) {
      Path store = new Path(new Path(files, region.getEncodedName()), Bytes.toString(family));
      store.getFileSystem(conf).delete(store, true);
    }
    admin.enableTable(table);
  }

  /**
   * To be called before a region is split. Servers remember for two minutes where a region went,
   * even when it came back. If it is split then, that memory leads clients in circles, HBase's own
   * as well.
   */
  public static void forgetMoves(RegionInfo region) throws ReflectiveOperationException {
    Method forget = HRegionServer.class.getDeclaredMethod("removeFromMovedRegions", String.class);
    forget.setAccessible(true);
    for (RegionServerThread server : utility().getHBaseCluster().getLiveRegionServerThreads()) {
      forget.invoke(server.getRegionServer(), region.getEncodedName());
    }
  }

  /**
   * For each cluster that shares a JVM with others, and with a thousand tables that tests leave.
   */
  public static void share(Configuration conf) {
    EmbeddedHBase.PROMPT.forEach(conf::set);
    Hdfs.PROMPT.forEach(conf::set);
    // HBase ends the process of a server that it aborted 20 minutes later, gone or not.
    conf.setInt("hbase.regionserver.abort.timeout", DAY_MILLIS);
    // Each server takes 40 % of the heap for itself, each store 2 MB, each region six histograms.
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.1f);
    conf.setInt(MemStoreLAB.CHUNK_SIZE_KEY, CHUNK_BYTES);
    conf.setBoolean("hbase.regionserver.enable.table.latencies", false);
    conf.setBoolean("hbase.regionserver.enable.table.query.meter", false);
    // What looks at all that has piled up, again and again.
    conf.setInt("hbase.procedure.cleaner.interval", TEN_MINUTES_MILLIS);
    conf.setInt("dfs.namenode.block.deletion.unlock.interval.ms", 200);
  }

  /**
   * The JVM's, which may be gone: HBase's test utility names one, and removes it with a cluster
   * that ends. Info servers do not start without.
   */
  public static java.nio.file.Path temporaryDirectory() throws IOException {
    return Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
  }

  /**
   * Starts a second HBase, with one region server, on the files and the ZooKeeper of the first. The
   * caller ends it by {@link HBaseTestingUtility#shutdownMiniHBaseCluster}.
   *
   * @param znode below which it keeps what it has in ZooKeeper
   */
  public static HBaseTestingUtility startBeside(String znode) throws Exception {
    Configuration conf = configuration();
    String files = conf.get(FileSystem.FS_DEFAULT_NAME_KEY);
    HBaseTestingUtility second = new HBaseTestingUtility(conf);
    temporaryDirectory();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, files);
    conf.set(HConstants.ZOOKEEPER_ZNODE_PARENT, znode);
    // The first has two.
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MINTOSTART, 1);
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MAXTOSTART, 1);
    second.startMiniHBaseCluster(StartMiniClusterOption.builder().numRegionServers(1).build());
    return second;
  }

  private static HBaseTestingUtility start() {
    HBaseTestingUtility started = new Utility();
    Configuration conf = started.getConfiguration();
    // Tests decide when to compact.
    conf.setInt("hbase.hstore.compaction.min", 100);
    conf.setInt("hbase.hstore.compaction.max", 100);
    conf.setInt("hbase.hstore.blockingStoreFiles", 1000);
    TableFaults.SETTINGS.forEach(conf::set);
    // What is replicated comes soon.
    conf.setInt("replication.source.sleepforretries", 100);
    conf.setStrings(
        CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
        VetoingMaster.class.getName(),
        DeliMasterObserver.class.getName());
    share(conf);
    try {
      temporaryDirectory();
      StartMiniClusterOption servers =
          StartMiniClusterOption.builder().numRegionServers(REGION_SERVERS).build();
      if (Boolean.getBoolean("deli.test.hdfs")) {
        started.startMiniCluster(servers);
      } else {
        conf.set(LocalFiles.SETTING, LocalFiles.class.getName());
        started.startMiniZKCluster();
        started.startMiniHBaseCluster(servers);
      }
      // It registers every metric of every table anew whenever a region opens or closes.
      JmxCacheBuster.stop();
      // Who only creates and drops tables need not wait long before looking whether they are there.
      conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 2);
      conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 150);
      started.invalidateConnection();
      // Tests decide where regions are.
      started.getAdmin().balancerSwitch(false, true);
    } catch (Exception e) {
      throw new IllegalStateException("the mini cluster did not start", e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(MiniCluster::stop));
    return started;
  }

  private static void stop() {
    try {
      utility.shutdownMiniCluster();
    } catch (Exception e) {
      System.err.println("the mini cluster did not stop: " + e);
    }
  }
}
