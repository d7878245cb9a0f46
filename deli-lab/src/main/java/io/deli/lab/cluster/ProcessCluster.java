package io.deli.lab.cluster;

import io.deli.config.DeliSettings;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The cluster of a directory: ZooKeeper, NameNode, DataNode, master and region servers, each a
 * process.
 *
 * <p>The processes outlive the JVM that started them. Starting and stopping take the directory's
 * lock; all else may be done from several JVMs at a time.
 */
public final class ProcessCluster {
  private static final int REGION_SERVERS = 2;
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  /**
   * Found and parsed once: it takes longer than to ask a cluster, which is asked again and again.
   */
  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  private final ClusterDirectory directory;
  private boolean killed;

  /** The cluster of a directory, whether it was ever started or not. */
  public ProcessCluster(Path directory) {
    this.directory = new ClusterDirectory(directory);
  }

  public Path directory() {
    return directory.root();
  }

  /** The directory with its {@code hbase-site.xml}, for {@code --conf}. */
  public Path conf() {
    return directory.conf();
  }

  /** Its processes in the order of their start, also those that do not run. */
  public List<Daemon> daemons() {
    return Plan.read(directory.plan()).map(this::daemons).orElse(List.of());
  }

  public List<Daemon> daemons(Role role) {
    return daemons().stream().filter(daemon -> daemon.node().role() == role).toList();
  }

  private List<Daemon> daemons(Plan plan) {
    Optional<NodeNetwork> network = NodeNetwork.of(directory, plan);
    return plan.nodes().stream()
        .map(
            node ->
                new Daemon(
                    directory,
                    node,
                    network.map(each -> each.entering(node)).orElse(List.of()),
                    ShiftedClock.options(directory, plan, node)))
        .toList();
  }

  /** The network of its own that it has, if it was started with {@link NodeNetwork#SETTING}. */
  public Optional<NodeNetwork> network() {
    return Plan.read(directory.plan()).flatMap(plan -> NodeNetwork.of(directory, plan));
  }

  /**
   * The data node's disk and that of temporary files, if it has {@linkplain Volume#SETTING
   * volumes}.
   */
  public List<Volume> volumes() {
    return Plan.read(directory.plan()).map(plan -> Volume.of(directory, plan)).orElse(List.of());
  }

  /**
   * Sets a region server's clock, if it has {@link ShiftedClock#SKEW}; returns whether it goes by
   * it.
   */
  public boolean shiftClock(Node server, long aheadMillis) throws IOException {
    ShiftedClock.set(directory, server, aheadMillis);
    return Await.until(NOTICE, () -> ShiftedClock.isSeen(directory, server));
  }

  public long shiftOf(Node server) throws IOException {
    return ShiftedClock.get(directory, server);
  }

  /** By how much a region server's clock may be ahead or behind at most, in milliseconds. */
  public long maxShift() {
    return Plan.read(directory.plan()).map(ShiftedClock::half).orElse(0L);
  }

  public void readJar(Path copy) throws IOException {
    hdfs().get(jarOnHdfs(), copy);
  }

  /** Puts another jar in the place of the servers' on HDFS, for those that start from now on. */
  public void replaceJar(Path jar) throws IOException {
    hdfs().replace(jarOnHdfs(), jar);
  }

  private String jarOnHdfs() {
    return Plan.read(directory.plan()).orElseThrow().settings().get(key());
  }

  public Hdfs hdfs() {
    return new Hdfs(configuration());
  }

  public Configuration configuration() {
    Configuration files = new Configuration(false);
    for (String file : FILES) {
      files.addResource(new org.apache.hadoop.fs.Path(conf().resolve(file).toUri()));
    }
    Configuration conf = new Configuration(DEFAULTS);
    files.forEach(setting -> conf.set(setting.getKey(), setting.getValue()));
    return conf;
  }

  /** Whether all processes run and HBase serves every table; asks for some seconds at most. */
  public boolean serves() {
    return lack().isEmpty();
  }

  /** Says what it lacks to {@link #serves serve}, to be shown; empty if nothing. */
  public Optional<String> lack() {
    List<Daemon> daemons = daemons();
    if (daemons.isEmpty()) {
      return Optional.of("it was never started");
    }
    return daemons.stream()
        .filter(daemon -> !daemon.isRunning())
        .findFirst()
        .map(daemon -> "%s does not run, see %s".formatted(daemon.node().name(), daemon.log()))
        .or(() -> Lifecycle.lack(configuration(), daemons(Role.REGION_SERVER)));
  }

  /**
   * Starts what does not run and waits until the cluster serves. If that fails, what this call
   * started is stopped again.
   *
   * @param regionServers how many, if this is its first start; must be as many later, if given
   * @param jar the coprocessor's jar, to be put on HDFS; needed at the first start
   * @param settings kept for later starts
   * @throws Failure if it cannot start, saying why
   */
  public void start(
      Optional<Integer> regionServers,
      Optional<Path> jar,
      Map<String, String> settings,
      Consumer<String> told)
      throws IOException {
    DataDirectory.Lock lock = lock();
    try {
      allowRevival();
      Plan plan = plan(regionServers, jar, settings);
      List<Daemon> daemons = daemons(plan);
      if (daemons.stream().noneMatch(Daemon::isRunning)) {
        prepare(plan);
      } else if (!settings.isEmpty()) {
        throw Failure.usage(
            "settings are read when processes start: stop the cluster in %s before --set"
                .formatted(directory));
      }
      try {
        new Lifecycle(daemons, this::configuration, told).start(jar);
      } catch (IOException | RuntimeException e) {
        releaseIfStopped();
        throw e;
      }
    } finally {
      lock.close();
    }
  }

  /** Stops HBase, which flushes its tables, then what it stands on; what does not end is killed. */
  public void stop(Consumer<String> told) {
    DataDirectory.Lock lock = lock();
    try {
      new Lifecycle(daemons(), this::configuration, told).stop();
      releaseIfStopped();
    } finally {
      lock.close();
    }
  }

  /**
   * Kills all processes, and takes down their network and volumes; data stays. None is {@linkplain
   * #revive revived} before {@link #start}.
   */
  public synchronized void kill() {
    killed = true;
    daemons().forEach(Daemon::kill);
    releaseIfStopped();
  }

  private synchronized void allowRevival() {
    killed = false;
  }

  /** Starts again what does not run, as an init system would, unless all were killed. */
  public void revive() {
    for (Daemon daemon : daemons()) {
      try {
        revive(daemon);
      } catch (Failure | UncheckedIOException e) {
        // As while its port is not free yet: there will be another attempt.
      }
    }
  }

  private synchronized void revive(Daemon daemon) {
    if (!killed && !daemon.isRunning()) {
      daemon.start();
    }
  }

  /** Takes down the network and the volumes, unless a process still uses them. */
  private void releaseIfStopped() {
    if (daemons().stream().anyMatch(Daemon::isRunning)) {
      return;
    }
    network().ifPresent(NodeNetwork::down);
    try {
      for (Volume volume : volumes()) {
        volume.unmount();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DataDirectory.Lock lock() {
    return new DataDirectory(directory.root())
        .tryLock()
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.UNAVAILABLE,
                    "another process uses %s: wait for it, or choose another directory with --data"
                        .formatted(directory)));
  }

  private Plan plan(
      Optional<Integer> regionServers, Optional<Path> jar, Map<String, String> settings) {
    Optional<Plan> known = Plan.read(directory.plan());
    int servers = regionServers.orElse(REGION_SERVERS);
    Plan asked = known.orElseGet(() -> Plan.choose(servers)).with(settings);
    Plan plan = asked.with(NodeNetwork.choose(directory, asked.settings()));
    int has = plan.nodes(Role.REGION_SERVER).size();
    if (regionServers.isPresent() && servers != has) {
      throw Failure.usage(
          "the cluster in %s has %d region servers: leave out --region-servers, or choose another directory with --data"
              .formatted(directory, has));
    }
    if (jar.isPresent() && !Files.isReadable(jar.get())) {
      throw Failure.usage("cannot read --jar " + jar.get());
    }
    Plan complete =
        jar.map(file -> plan.with(Map.of(key(), Hdfs.address(plan, file)))).orElse(plan);
    if (!complete.settings().containsKey(key())) {
      throw Failure.usage(
          "--jar is missing: give deli-fileindex-<version>-server.jar, which 'mvn package' builds");
    }
    return complete;
  }

  private static String key() {
    return DeliSettings.COPROCESSOR_JAR.key();
  }

  private void prepare(Plan plan) throws IOException {
    Files.createDirectories(directory.root());
    plan.write(directory.plan());
    new SiteFiles(directory, plan).write();
    ShiftedClock.writeJar(directory);
    ShiftedClock.start(directory, plan);
    for (Volume volume : Volume.of(directory, plan)) {
      volume.mount();
    }
    NodeNetwork.of(directory, plan).ifPresent(NodeNetwork::up);
  }
}
