package io.deli.tools;

import io.deli.tools.command.AdviseCommand;
import io.deli.tools.command.BuildCommand;
import io.deli.tools.command.CollectCommand;
import io.deli.tools.command.CreateIndexCommand;
import io.deli.tools.command.CreateTableCommand;
import io.deli.tools.command.DashboardCommand;
import io.deli.tools.command.DeleteCommand;
import io.deli.tools.command.DemoCommand;
import io.deli.tools.command.DisableIndexCommand;
import io.deli.tools.command.DropIndexCommand;
import io.deli.tools.command.EnableIndexCommand;
import io.deli.tools.command.GetCommand;
import io.deli.tools.command.GrantCommand;
import io.deli.tools.command.IndexesCommand;
import io.deli.tools.command.LoadCommand;
import io.deli.tools.command.PutCommand;
import io.deli.tools.command.QueryCommand;
import io.deli.tools.command.SettingsCommand;
import io.deli.tools.command.StandaloneCommand;
import io.deli.tools.command.StatsCommand;
import io.deli.tools.command.VerifyCommand;
import io.deli.tools.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command {@code deli}: everything that a user needs on a production machine. */
@Command(
    name = "deli",
    description = "Secondary indexes for Apache HBase that cost a Put.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = RootCommand.Version.class,
    subcommands = {
      DemoCommand.class,
      StandaloneCommand.class,
      DashboardCommand.class,
      CreateTableCommand.class,
      CreateIndexCommand.class,
      BuildCommand.class,
      DropIndexCommand.class,
      DisableIndexCommand.class,
      EnableIndexCommand.class,
      IndexesCommand.class,
      LoadCommand.class,
      PutCommand.class,
      GetCommand.class,
      DeleteCommand.class,
      QueryCommand.class,
      CollectCommand.class,
      StatsCommand.class,
      VerifyCommand.class,
      AdviseCommand.class,
      GrantCommand.class,
      SettingsCommand.class,
    },
    footer = {
      "",
      "Without --zookeeper or --conf the embedded HBase of the data directory is used: the one that",
      "runs ('deli standalone'), or one started for the time of the command.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 done in part, 4 no HBase,",
      "5 verify found damage."
    })
public final class DeliCommand extends RootCommand {
  public DeliCommand(Terminal terminal) {
    super(terminal);
  }

  public static void main(String[] args) {
    main(DeliCommand::new, args);
  }
}
