package io.deli.tools.command;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.Target;
import io.deli.tools.dashboard.Dashboard;
import io.deli.tools.embedded.DataDirectory.Running;
import io.deli.tools.embedded.Ports;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "dashboard",
    description = {
      "Serve a web page about indexes on this machine, until Ctrl-C or SIGTERM.",
      "It shows states, sizes and garbage, when regions were collected, how that went over the"
          + " last 30 days, and answers queries by value. It only reads."
    })
public final class DashboardCommand extends Subcommand {
  @Option(
      names = "--port",
      defaultValue = "16050",
      paramLabel = "PORT",
      description = "Where browsers connect (default: ${DEFAULT-VALUE}; 0 takes any free port).")
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    deli.refuse("dashboard", "--json");
    Ports.requireFree("--port", port);
    Target target = deli.target();
    if (!target.isCluster() && target.data().running().filter(Running::stays).isEmpty()) {
      throw alone();
    }
    Session session = deli.openToRead(target);
    if (session.ui().isPresent()) {
      session.close();
      throw alone();
    }
    Configuration conf = session.connection().getConfiguration();
    try (Dashboard dashboard = Dashboard.start(port, deli.home(), conf, () -> session)) {
      deli.terminal().print("dashboard " + dashboard.address());
      deli.terminal().print("Ctrl-C stops it");
      deli.terminal().out().flush();
      new CountDownLatch(1).await();
    } finally {
      session.close();
    }
    return ExitCode.OK;
  }

  private static Failure alone() {
    return new Failure(
        ExitCode.UNAVAILABLE,
        "no HBase runs here that others could use meanwhile: 'deli standalone' starts one, and"
            + " serves this page, too");
  }
}
