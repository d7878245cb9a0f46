package io.deli.tools.command;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Subcommand;
import io.deli.tools.Target;
import io.deli.tools.dashboard.Dashboard;
import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.embedded.EmbeddedHBase;
import io.deli.tools.embedded.Ports;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "standalone",
    description = {
      "Run an embedded HBase until Ctrl-C or SIGTERM; its data survives.",
      "Other deli commands on the same data directory use it while it runs."
    })
public final class StandaloneCommand extends Subcommand {
  private static final String DASHBOARD_PORT = "--dashboard-port";

  @Option(
      names = "--zookeeper-port",
      defaultValue = "2181",
      paramLabel = "PORT",
      description = "Where clients connect (default: ${DEFAULT-VALUE}; 0 takes any free port).")
  private int zookeeperPort;

  @Option(
      names = "--ui-port",
      defaultValue = "16010",
      paramLabel = "PORT",
      description = "Web page of the master (default: ${DEFAULT-VALUE}).")
  private int uiPort;

  @Option(
      names = "--master-port",
      defaultValue = "16000",
      paramLabel = "PORT",
      description = "RPC of the master (default: ${DEFAULT-VALUE}).")
  private int masterPort;

  @Option(
      names = "--server-port",
      defaultValue = "16020",
      paramLabel = "PORT",
      description = "RPC of the region server (default: ${DEFAULT-VALUE}).")
  private int serverPort;

  @Option(
      names = "--server-ui-port",
      defaultValue = "16030",
      paramLabel = "PORT",
      description = "Web page of the region server (default: ${DEFAULT-VALUE}).")
  private int serverUiPort;

  @Option(
      names = DASHBOARD_PORT,
      defaultValue = "16050",
      paramLabel = "PORT",
      description = "Web page about indexes, on this machine (default: ${DEFAULT-VALUE}).")
  private int dashboardPort;

  @Option(
      names = "--host",
      defaultValue = "localhost",
      paramLabel = "NAME",
      description =
          "Name under which clients reach it (default: ${DEFAULT-VALUE}). Any other name than"
              + " localhost makes it listen on all addresses.")
  private String host;

  @Override
  public Integer call() throws IOException, InterruptedException {
    deli.refuse("standalone", "--zookeeper", "--conf", "--json");
    Ports.requireValid(DASHBOARD_PORT, dashboardPort);
    Terminal terminal = deli.terminal();
    DataDirectory data = deli.dataDirectory();
    DataDirectory.Lock lock = deli.lock(data);
    requireFree(lock);
    terminal.say("starting HBase on " + data);
    Ports ports = new Ports(zookeeperPort, uiPort, masterPort, serverPort, serverUiPort);
    try (EmbeddedHBase hbase = EmbeddedHBase.start(data, lock, ports, host, true);
        Dashboard dashboard =
            Dashboard.start(
                dashboardPort,
                deli.home(),
                new Configuration(false),
                () -> deli.openToRead(target(hbase)))) {
      terminal.print("HBase is up: ZooKeeper " + hbase.zookeeper() + ", web page " + hbase.ui());
      terminal.print("dashboard " + dashboard.address());
      terminal.print("data " + data + ", log " + data.log());
      terminal.print("Ctrl-C stops it");
      terminal.out().flush();
      hbase.join();
    }
    return ExitCode.OK;
  }

  /**
   * Now, not when HBase has started; and not before it is known that no other process runs here.
   */
  private void requireFree(DataDirectory.Lock lock) {
    try {
      Ports.requireFree(DASHBOARD_PORT, dashboardPort);
    } catch (Failure e) {
      lock.close();
      throw e;
    }
  }

  private Target target(EmbeddedHBase hbase) {
    return new Target(Optional.of(hbase.zookeeper()), Optional.empty(), deli.dataDirectory());
  }
}
