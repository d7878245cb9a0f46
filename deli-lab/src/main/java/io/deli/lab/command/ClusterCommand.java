package io.deli.lab.command;

import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.tools.ExitCode;
import io.deli.tools.RootCommand;
import io.deli.tools.command.FormatOption;
import io.deli.tools.output.RowWriter;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
    name = "cluster",
    description = {
      "Run a small cluster of processes on this machine: ZooKeeper, HDFS, a master, region"
          + " servers.",
      "--data names its directory (default: $DELI_HOME/cluster or .deli/cluster). Other commands"
          + " use the cluster by --conf DIRECTORY/conf; --zookeeper and --conf say nothing to this"
          + " one."
    })
public final class ClusterCommand implements Runnable {
  /** Path of the coprocessor's jar, set by {@code bin/deli}. */
  private static final String JAR_PROPERTY = "deli.server.jar";

  private static final List<String> COLUMNS = List.of("process", "state", "pid", "port", "web");

  @ParentCommand private RootCommand deli;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "start, stop or status is missing");
  }

  @Command(
      name = "start",
      description = {
        "Start what does not run of the cluster, and wait until it serves.",
        "The first start decides on region servers and ports; data survives a stop and a crash."
      })
  int start(
      @Option(
              names = "--region-servers",
              paramLabel = "N",
              description = "How many region servers a new cluster has (default: 2).")
          Integer regionServers,
      @Option(
              names = "--jar",
              paramLabel = "FILE",
              description =
                  "Coprocessor jar to put on HDFS (default: the one that bin/deli builds).")
          Path jar,
      @Option(
              names = "--set",
              paramLabel = "KEY=VALUE",
              description =
                  "A setting for hbase-site.xml and hdfs-site.xml, kept for later starts.")
          Map<String, String> settings)
      throws IOException {
    if (regionServers != null && (regionServers < 1 || regionServers > 16)) {
      throw new ParameterException(
          spec.commandLine(), "--region-servers " + regionServers + ": must be from 1 to 16");
    }
    Terminal terminal = deli.terminal();
    ProcessCluster cluster = cluster();
    Optional<Path> given = Optional.ofNullable(jar).or(ClusterCommand::builtJar);
    cluster.start(
        Optional.ofNullable(regionServers),
        given,
        settings == null ? Map.of() : settings,
        terminal::say);
    deli.done("the cluster in " + cluster.directory() + " serves", conf(cluster));
    terminal.say("  bin/deli indexes --conf " + cluster.conf());
    return ExitCode.OK;
  }

  /** The coprocessor's jar that {@code bin/deli} built, if that runs this. */
  static Optional<Path> builtJar() {
    return Optional.ofNullable(System.getProperty(JAR_PROPERTY)).map(Path::of);
  }

  @Command(name = "stop", description = "Stop the cluster; HBase flushes its tables before.")
  int stop() {
    ProcessCluster cluster = cluster();
    cluster.stop(deli.terminal()::say);
    deli.done("the cluster in " + cluster.directory() + " is stopped", conf(cluster));
    return ExitCode.OK;
  }

  @Command(
      name = "status",
      description = "Show the cluster's processes. The exit code is 4 unless all of it serves.")
  int status(@Mixin FormatOption format) {
    ProcessCluster cluster = cluster();
    RowWriter out = format.writer(deli, "processes", COLUMNS);
    cluster.daemons().forEach(daemon -> out.row(row(daemon)));
    Optional<String> lack = cluster.lack();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("serves", lack.isEmpty());
    lack.ifPresent(what -> facts.put("lacks", what));
    facts.putAll(conf(cluster));
    out.end(facts);
    return lack.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
  }

  private static Map<String, String> conf(ProcessCluster cluster) {
    return Map.of("conf", cluster.conf().toString());
  }

  private ProcessCluster cluster() {
    return new ProcessCluster(deli.directory("cluster"));
  }

  private static List<?> row(Daemon daemon) {
    return Arrays.asList(
        daemon.node().name(),
        !daemon.isRunning() ? "stopped" : daemon.isPaused() ? "paused" : "runs",
        daemon.process().map(ProcessHandle::pid).orElse(null),
        daemon.node().port(),
        daemon.node().web().map(port -> "http://localhost:" + port).orElse(null));
  }
}
