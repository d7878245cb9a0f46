package io.deli.lab;

import io.deli.lab.command.ClusterCommand;
import io.deli.lab.command.ExperimentCommand;
import io.deli.lab.command.TortureCommand;
import io.deli.lab.command.YcsbCommand;
import io.deli.tools.RootCommand;
import io.deli.tools.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command {@code lab}: measures DELI and tries to break it. */
@Command(
    name = "lab",
    description = "Experiments, peers, faults and a cluster of processes for DELI.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = RootCommand.Version.class,
    subcommands = {
      ClusterCommand.class,
      ExperimentCommand.class,
      YcsbCommand.class,
      TortureCommand.class,
    },
    footer = {
      "",
      "Without --zookeeper or --conf the embedded HBase of the data directory is used: the one that",
      "runs ('deli standalone'), or one started for the time of the command.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 done in part, 4 no HBase."
    })
public final class LabCommand extends RootCommand {
  public LabCommand(Terminal terminal) {
    super(terminal);
  }

  public static void main(String[] args) {
    main(LabCommand::new, args);
  }
}
