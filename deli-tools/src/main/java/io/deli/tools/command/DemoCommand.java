package io.deli.tools.command;

import io.deli.tools.ExitCode;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.Target;
import io.deli.tools.demo.Demo;
import io.deli.tools.demo.Steps;
import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.ShutdownHookManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = {
      "Show what DELI does, in about a minute, and check it.",
      "Starts an HBase of its own in a temporary directory, creates a table with four indexes,"
          + " loads and updates rows, asks questions of every kind, collects the garbage, and"
          + " compares every answer with a plain scan. The exit code is 1 if one differs.",
      "With --zookeeper, --conf or --data it runs there, on a table that it drops at the end."
    })
public final class DemoCommand extends Subcommand {
  /** Hadoop runs shutdown hooks from the highest priority down. */
  private static final int AFTER_HBASE = 1;

  @Option(
      names = "--table",
      defaultValue = "deli_demo",
      paramLabel = "TABLE",
      description = "The table to create (default: ${DEFAULT-VALUE}).")
  private String table;

  @Override
  public Integer call() throws IOException {
    deli.refuse("demo", "--json");
    TableName name = Names.table(table);
    if (deli.namesHBase()) {
      run(name, deli.target());
      return ExitCode.OK;
    }
    Path directory = Files.createTempDirectory("deli-demo");
    Runnable cleaner = () -> FileUtil.fullyDelete(directory.toFile());
    ShutdownHookManager.get().addShutdownHook(cleaner, AFTER_HBASE);
    run(name, new Target(Optional.empty(), Optional.empty(), new DataDirectory(directory)));
    return ExitCode.OK;
  }

  private void run(TableName name, Target target) throws IOException {
    Terminal terminal = deli.terminal();
    terminal.print("DELI: secondary indexes for HBase that cost a Put");
    Steps steps = new Steps(terminal);
    AtomicReference<Session> opened = new AtomicReference<>();
    try {
      steps.run(
          target.isCluster() ? "connect to HBase" : "start an embedded HBase",
          () -> {
            opened.set(deli.open(target));
            return opened.get().ui().map(ui -> "web page " + ui).orElse("");
          });
      Demo demo = new Demo(terminal, opened.get().indexed(), name, steps);
      demo.run();
      if (deli.namesHBase()) {
        demo.drop();
      }
    } finally {
      if (opened.get() != null) {
        opened.get().close();
      }
    }
    terminal.print("");
    terminal.print("All answers were right, and the garbage is gone. Next:");
    terminal.print("  bin/deli standalone                  an HBase that stays, with a web page");
    terminal.print("  bin/deli create-table --help         and create-index, load, query, collect");
  }
}
