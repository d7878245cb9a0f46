package io.deli.tools;

import io.deli.tools.command.AdviseCommand;
import io.deli.tools.command.CollectCommand;
import io.deli.tools.command.CreateIndexCommand;
import io.deli.tools.command.CreateTableCommand;
import io.deli.tools.command.DashboardCommand;
import io.deli.tools.command.DemoCommand;
import io.deli.tools.command.IndexCommands;
import io.deli.tools.command.IndexesCommand;
import io.deli.tools.command.LoadCommand;
import io.deli.tools.command.QueryCommand;
import io.deli.tools.command.RowCommands;
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
      IndexCommands.BuildIndex.class,
      IndexCommands.DropIndex.class,
      IndexCommands.DisableIndex.class,
      IndexCommands.EnableIndex.class,
      IndexesCommand.class,
      LoadCommand.class,
      RowCommands.PutRow.class,
      RowCommands.GetRow.class,
      RowCommands.DeleteRow.class,
      QueryCommand.class,
      CollectCommand.class,
      StatsCommand.class,
      VerifyCommand.class,
      AdviseCommand.class,
      IndexCommands.Grant.class,
      SettingsCommand.class,
    },
    footer = {
      "",
      "Without --zookeeper, --conf or $DELI_CONF the embedded HBase of the data directory is used:",
      "the one that runs ('deli standalone'), or one started for the time of the command.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong command line, 3 done in part, 4 no HBase,",
      "5 verify found damage."
    })
public final class DeliCommand extends RootCommand {
  /** For picocli's generators of man pages and shell completion. */
  public DeliCommand() {
    this(Terminal.system());
  }

  public DeliCommand(Terminal terminal) {
    super(terminal);
  }

  public static void main(String[] args) {
    main(DeliCommand::new, args);
  }
}
