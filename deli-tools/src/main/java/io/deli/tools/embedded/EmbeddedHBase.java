package io.deli.tools.embedded;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * A whole HBase in this JVM whose data survives restarts.
 *
 * <p>Closing it, or ending the JVM by a signal, flushes every region and stops it in order; a crash
 * loses no acknowledged write, for the log is written through. At most one runs on a data
 * directory.
 */
public final class EmbeddedHBase implements AutoCloseable {
  /** Loaded by masters; named only, since nothing here depends on it. */
  public static final String MASTER_OBSERVER = "io.deli.coprocessor.DeliMasterObserver";

  /**
   * Settings of a small cluster whose tables are created and altered at once. A master waits for
   * more regions before it has one opened, which pays where there are thousands.
   */
  public static final Map<String, String> PROMPT =
      Map.of(
          "hbase.assignment.dispatch.wait.msec",
          "5",
          "hbase.procedure.remote.dispatcher.delay.msec",
          "5",
          "hbase.master.event.waiting.time",
          "20");

  /** Before Hadoop's own hook closes the file systems. */
  private static final int SHUTDOWN_PRIORITY = 100;

  private static final int SHUTDOWN_SECONDS = 120;

  private static final int GLANCE_MILLIS = 500;

  private final DataDirectory directory;
  private final DataDirectory.Lock lock;
  private final Ports ports;
  private final String host;
  private final MiniZooKeeperCluster zooKeeper;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread hook = new Thread(this::stop, "embedded-hbase-stop");
  private LocalHBaseCluster cluster;

  private EmbeddedHBase(
      DataDirectory directory, DataDirectory.Lock lock, Ports ports, String host) {
    this.directory = directory;
    this.lock = lock;
    this.ports = ports;
    this.host = host;
    this.zooKeeper = new MiniZooKeeperCluster(serverConfiguration(directory, ports, host));
  }

  /**
   * Starts HBase and waits until it serves.
   *
   * @param directory where its data is or will be
   * @param lock on that directory; closed with this HBase, or when the start fails
   * @param wanted ports; those that are 0 are chosen
   * @param host the name under which clients reach it: {@code localhost} listens on the loopback
   *     address only, any other name on all
   * @param stays whether commands of other processes may use it while it runs
   * @throws Failure if it cannot start, saying why
   */
  public static EmbeddedHBase start(
      DataDirectory directory, DataDirectory.Lock lock, Ports wanted, String host, boolean stays) {
    EmbeddedHBase hbase = null;
    try {
      hbase = new EmbeddedHBase(directory, lock, wanted.resolve(), host);
      hbase.startAll(stays);
      return hbase;
    } catch (IOException | RuntimeException e) {
      if (hbase == null) {
        lock.close();
      } else {
        hbase.close();
      }
      if (e instanceof Failure failure) {
        throw failure;
      }
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "embedded HBase did not start on %s (%s): see %s"
              .formatted(directory, e.getMessage(), directory.log()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      hbase.close();
      throw new Failure(ExitCode.UNAVAILABLE, "the start of HBase was interrupted", e);
    }
  }

  private void startAll(boolean stays) throws IOException, InterruptedException {
    requireNoPercent();
    directory.withdraw();
    DefaultMetricsSystem.setMiniClusterMode(true);
    ShutdownHookManager.get()
        .addShutdownHook(hook, SHUTDOWN_PRIORITY, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    zooKeeper.addClientPort(ports.zookeeper());
    if (zooKeeper.startup(directory.zookeeper().toFile()) != ports.zookeeper()) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "port %d is not free: choose another with --zookeeper-port".formatted(ports.zookeeper()));
    }
    Configuration conf = serverConfiguration(directory, ports, host);
    forgetServers(conf);
    cluster = new LocalHBaseCluster(conf, 1);
    PrintStream out = silenceOutput();
    try {
      cluster.startup();
    } finally {
      System.setOut(out);
    }
    directory.announce(
        new DataDirectory.Running(ProcessHandle.current().pid(), zookeeper(), stays));
  }

  /**
   * Deletes the ephemeral nodes of servers. Those that a killed process left would hold up the new
   * servers until their sessions expire, and none is alive while this process has the lock.
   */
  private static void forgetServers(Configuration conf) throws IOException {
    try (ZKWatcher zooKeeper = new ZKWatcher(conf, "embedded-hbase-start", null)) {
      ZNodePaths paths = zooKeeper.getZNodePaths();
      ZKUtil.deleteNodeFailSilent(zooKeeper, paths.masterAddressZNode);
      ZKUtil.deleteChildrenRecursivelyMultiOrSequential(
          zooKeeper, true, paths.rsZNode, paths.backupMasterAddressesZNode);
    } catch (Exception e) {
      // A KeeperException, of a jar that only HBase depends on.
      throw new IOException("ZooKeeper did not forget the servers before", e);
    }
  }

  /** The write-ahead log formats a name with the path in it, and would fail in the background. */
  private void requireNoPercent() {
    if (directory.toString().contains("%")) {
      throw Failure.usage(
          "HBase does not start in a path with a percent sign, %s: choose another with --data"
              .formatted(directory));
    }
  }

  /** {@code host:port} for clients. */
  public String zookeeper() {
    return host + ":" + ports.zookeeper();
  }

  public String ui() {
    return "http://" + host + ":" + ports.ui();
  }

  /**
   * Waits until the region server or the master ends: by {@link #close}, a signal, a request to
   * HBase, or a failure of its own.
   *
   * @throws Failure if one of them aborted
   */
  public void join() throws InterruptedException {
    while (servers().allMatch(Thread::isAlive)) {
      TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
    }
    boolean master = cluster.getMaster(0).isAborted();
    if (!closed.get() && (master || cluster.getRegionServer(0).isAborted())) {
      throw Failure.of(
          "the %s of the HBase on %s aborted: see %s, then start it again"
              .formatted(master ? "master" : "region server", directory, directory.log()));
    }
  }

  private Stream<Thread> servers() {
    return Stream.concat(cluster.getRegionServers().stream(), cluster.getMasters().stream());
  }

  /** Flushes every region and stops all; again is harmless. Does not return before it is done. */
  @Override
  public void close() {
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
    stop();
  }

  private synchronized void stop() {
    if (closed.getAndSet(true)) {
      return;
    }
    PrintStream out = silenceOutput();
    try {
      if (cluster != null) {
        directory.withdraw();
        cluster.shutdown();
        // The master still flushes its own region when shutdown returns. LocalHBaseCluster.join
        // would print all threads' stacks every minute.
        for (Thread server : servers().toList()) {
          server.join();
        }
      }
      zooKeeper.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "HBase did not stop in order: see " + directory.log(), e);
    } finally {
      System.setOut(out);
      lock.close();
    }
  }

  /**
   * Silences standard output, which is for results: HBase prints stacks of threads there when its
   * start or stop takes long.
   *
   * @return standard output as it was
   */
  private static PrintStream silenceOutput() {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    return out;
  }

  static Configuration serverConfiguration(DataDirectory directory, Ports ports, String host) {
    Configuration conf = settings();
    // No URI, since Hadoop's Path does not decode: escapes would become part of the name.
    conf.set(HConstants.HBASE_DIR, "file://" + directory.hbase());
    conf.set("hbase.tmp.dir", directory.temporary().toString());
    conf.set("hadoop.tmp.dir", directory.temporary().toString());
    conf.set(HConstants.ZOOKEEPER_QUORUM, host);
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, ports.zookeeper());
    conf.setInt(HConstants.MASTER_PORT, ports.master());
    conf.setInt(HConstants.MASTER_INFO_PORT, ports.ui());
    conf.setInt(HConstants.REGIONSERVER_PORT, ports.server());
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, ports.serverUi());
    conf.set("hbase.master.hostname", host);
    conf.set("hbase.regionserver.hostname", host);
    String listen = host.equals("localhost") ? "127.0.0.1" : "0.0.0.0";
    conf.set("hbase.master.ipc.address", listen);
    conf.set("hbase.regionserver.ipc.address", listen);
    conf.set("hbase.master.info.bindAddress", listen);
    conf.set("hbase.regionserver.info.bindAddress", listen);
    conf.set("hbase.zookeeper.property.clientPortAddress", listen);
    return conf;
  }

  /** Settings by which HBase is small and quick to start; a deli-site.xml may overrule them. */
  static Configuration settings() {
    Configuration conf = HBaseConfiguration.create();
    // A resource as they are: what is set in a configuration prevails over all of its resources.
    conf.addResource(defaults());
    conf.addResource("deli-site.xml");
    return conf;
  }

  private static Configuration defaults() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.set("hbase.coprocessor.master.classes", MASTER_OBSERVER);
    // Ours runs instead: it stops master, region server and ZooKeeper in the right order.
    conf.setBoolean("hbase.shutdown.hook", false);
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    conf.setInt("hbase.regionserver.handler.count", 12);
    conf.setInt("hbase.regionserver.metahandler.count", 4);
    conf.setInt("hbase.master.procedure.threads", 4);
    PROMPT.forEach(conf::set);
    conf.setFloat("hfile.block.cache.size", 0.25f);
    conf.setFloat("hbase.regionserver.global.memstore.size", 0.35f);
    conf.setLong("hbase.hregion.memstore.flush.size", 32L << 20);
    conf.setInt("hbase.regionserver.maxlogs", 8);
    // A laptop that slept must not lose its server.
    conf.setInt("zookeeper.session.timeout", 600_000);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", 600_000);
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 300_000);
    return conf;
  }
}
