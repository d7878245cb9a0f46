package io.deli.lab.cluster;

import io.deli.config.DeliSettings;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  private final ClusterDirectory directory;

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

  /** The processes of one kind. */
  public List<Daemon> daemons(Role role) {
    return daemons().stream().filter(daemon -> daemon.node().role() == role).toList();
  }

  private List<Daemon> daemons(Plan plan) {
    return plan.nodes().stream()
        .map(node -> new Daemon(directory, node, ShiftedClock.options(directory, plan, node)))
        .toList();
  }

  /** A client's configuration. */
  public Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    for (String file : FILES) {
      conf.addResource(new org.apache.hadoop.fs.Path(conf().resolve(file).toUri()));
    }
    return conf;
  }

  /** Whether all processes run and HBase serves every table; asks for some seconds at most. */
  public boolean serves() {
    return lack().isEmpty();
  }

  /** What it lacks to {@link #serves serve}, to be shown; empty if nothing. */
  public Optional<String> lack() {
    List<Daemon> daemons = daemons();
    if (daemons.isEmpty()) {
      return Optional.of("it was never started");
    }
    return daemons.stream()
        .filter(daemon -> !daemon.isRunning())
        .findFirst()
        .map(daemon -> "%s does not run, see %s".formatted(daemon.node().name(), daemon.log()))
        .or(() -> Serving.lack(configuration(), daemons(Role.REGION_SERVER)));
  }

  /**
   * Starts what does not run and waits until the cluster serves. If that fails, what this call
   * started is stopped again.
   *
   * @param told is given a line on each step
   * @throws Failure if it cannot start, saying why
   */
  public void start(ClusterOptions options, Consumer<String> told) throws IOException {
    DataDirectory.Lock lock = lock();
    try {
      Plan plan = plan(options);
      List<Daemon> daemons = daemons(plan);
      if (daemons.stream().noneMatch(Daemon::isRunning)) {
        prepare(plan);
      } else if (!options.settings().isEmpty()) {
        throw Failure.usage(
            "settings are read when processes start: stop the cluster in %s before --set"
                .formatted(directory));
      }
      new ClusterStart(daemons, this::configuration, told).run(options.jar());
    } finally {
      lock.close();
    }
  }

  /**
   * Stops HBase, which flushes its tables, then what it stands on; what does not end is killed.
   *
   * @param told is given a line on each step
   */
  public void stop(Consumer<String> told) {
    DataDirectory.Lock lock = lock();
    try {
      new ClusterStop(daemons(), told).run(this::configuration);
    } finally {
      lock.close();
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

  private Plan plan(ClusterOptions options) {
    Optional<Plan> known = Plan.read(directory.plan());
    int servers = options.regionServers().orElse(REGION_SERVERS);
    Plan plan = known.orElseGet(() -> Plan.choose(servers)).with(options.settings());
    int has = plan.nodes(Role.REGION_SERVER).size();
    if (options.regionServers().isPresent() && servers != has) {
      throw Failure.usage(
          "the cluster in %s has %d region servers: leave out --region-servers, or choose another directory with --data"
              .formatted(directory, has));
    }
    options
        .jar()
        .filter(jar -> !Files.isReadable(jar))
        .ifPresent(
            jar -> {
              throw Failure.usage("cannot read --jar " + jar);
            });
    Plan complete =
        options.jar().map(jar -> plan.with(Map.of(key(), Hdfs.address(plan, jar)))).orElse(plan);
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
    new ServerClassPath(directory).write();
    ShiftedClock.writeJar(directory);
  }
}
