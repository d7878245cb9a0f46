package io.deli.tools;

import io.deli.config.DeliSettings;
import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.output.Format;
import io.deli.tools.output.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The options that all subcommands of a command line share, and how it ends: {@code deli} and
 * {@code lab}.
 */
public abstract class RootCommand implements Runnable {
  /** Directory of the command's own files, set by {@code bin/deli}. */
  static final String HOME_PROPERTY = "deli.home";

  /** Directory of the cluster's configuration unless options name an HBase, set likewise. */
  private static final String CONF_PROPERTY = "deli.conf";

  private static final Gson JSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .serializeSpecialFloatingPointValues()
          .create();

  @Spec private CommandSpec spec;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      scope = ScopeType.INHERIT,
      description = "ZooKeeper of the cluster; several as HOST1,HOST2:PORT.")
  private String zookeeper;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description =
          "Directory with hbase-site.xml and, if wanted, deli-site.xml. Default: $DELI_CONF.")
  private Path conf;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description =
          "Data directory of the embedded HBase, or of the cluster. Default: data, or cluster, in"
              + " $DELI_HOME or .deli.")
  private Path data;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print results as JSON.")
  private boolean json;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show warnings of HBase, and stack traces with errors.")
  private boolean verbose;

  private final Terminal terminal;

  protected RootCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs one command line in a JVM of its own, which ends with its exit code. */
  protected static void main(Function<Terminal, RootCommand> root, String... args) {
    Terminal terminal = Terminal.system();
    Logs.quiet();
    System.exit(root.apply(terminal).run(args));
  }

  /** Runs one command line, flushes its output and returns its exit code. */
  public final int run(String... args) {
    int code =
        new CommandLine(this)
            .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setUsageHelpAutoWidth(true)
            .setAbbreviatedOptionsAllowed(false)
            .setParameterExceptionHandler(this::onWrongUsage)
            .setExecutionExceptionHandler(this::onFailure)
            .setExecutionStrategy(this::execute)
            .execute(args);
    // A PrintStream never throws: it only remembers that a write has failed.
    if (!terminal.out().checkError()) {
      return code;
    }
    terminal.say(
        spec.qualifiedName()
            + ": part of the output is lost: the disk is full, or its reader has ended");
    return code == ExitCode.OK ? ExitCode.FAILED : code;
  }

  private int execute(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (json && last.hasMatchedOption("--format")) {
      throw new ParameterException(
          last.commandSpec().commandLine(), "--json and --format exclude each other");
    }
    if (verbose) {
      Logs.verbose();
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** Without a subcommand. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  public Terminal terminal() {
    return terminal;
  }

  /** The format of results; {@code --json} beats what a command has of its own. */
  public Format format(Format own) {
    return json ? Format.JSON : own;
  }

  public DataDirectory dataDirectory() {
    return new DataDirectory(directory("data"));
  }

  /** The directory that {@code --data} names, else one of this name in the home directory. */
  public Path directory(String own) {
    return data != null ? data : home().resolve(own);
  }

  /** The directory in which commands keep their files. */
  public Path home() {
    return Path.of(System.getProperty(HOME_PROPERTY, ".deli"));
  }

  /**
   * Takes a data directory for a server of its own and sends its log there.
   *
   * @throws Failure if another process runs on it
   */
  public DataDirectory.Lock lock(DataDirectory data) {
    DataDirectory.Lock lock =
        data.tryLock()
            .orElseThrow(
                () ->
                    new Failure(
                        ExitCode.UNAVAILABLE,
                        "HBase runs on %s already%s: stop it, or choose another directory with --data"
                            .formatted(
                                data,
                                data.running().map(r -> " (process " + r.pid() + ")").orElse(""))));
    Logs.toFile(data.log());
    return lock;
  }

  /** Refuses those of these options, shared by all commands, that are given. */
  public void refuse(String command, String... options) {
    Map<String, Boolean> given =
        Map.of(
            "--zookeeper", zookeeper != null,
            "--conf", conf != null,
            "--data", data != null,
            "--json", json);
    for (String option : options) {
      if (given.get(option)) {
        throw Failure.usage("%s does not apply to %s: leave it out".formatted(option, command));
      }
    }
  }

  /** Whether the command line says which HBase to use. */
  public boolean namesHBase() {
    return zookeeper != null || conf != null || data != null;
  }

  /**
   * The HBase that the options name, or that of {@code $DELI_CONF}, or the embedded one of the
   * default directory.
   */
  public Target target() {
    Failure.ifBoth("--zookeeper", zookeeper, "--data", data);
    Failure.ifBoth("--conf", conf, "--data", data);
    Optional<Path> site =
        namesHBase()
            ? Optional.ofNullable(conf)
            : Optional.ofNullable(System.getProperty(CONF_PROPERTY)).map(Path::of);
    return new Target(Optional.ofNullable(zookeeper), site, dataDirectory());
  }

  /** Connects to the HBase that the options name, starting an embedded one if need be. */
  public Session open() {
    return open(target());
  }

  /** Connects to an HBase, starting an embedded one if need be. */
  public Session open(Target chosen) {
    return Session.open(chosen, terminal, Map.of());
  }

  /** Connects as {@link #open(Target)}, and has no stale entry deleted that its reads meet. */
  public Session openToRead(Target chosen) {
    return Session.open(chosen, terminal, Map.of(DeliSettings.REPAIR_QUEUE.key(), "0"));
  }

  /** Prints what was done: a line for a person, or a document of it and the facts for a program. */
  public void done(String line, Map<String, ?> facts) {
    Map<String, Object> document = new TreeMap<>(facts);
    document.put("done", line);
    print(document, () -> terminal.print(line));
  }

  /**
   * Prints a result.
   *
   * @param document what a program gets, as JSON
   * @param text prints it for a person
   */
  public void print(Object document, Runnable text) {
    if (json) {
      terminal.print(JSON.toJson(document));
    } else {
      text.run();
    }
  }

  private int onWrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    terminal.say(command.getCommandSpec().qualifiedName() + ": " + GivenUp.line(e));
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, terminal.err())) {
      terminal.say("'" + command.getCommandSpec().qualifiedName() + " --help' shows how");
    }
    trace(e);
    return ExitCode.USAGE;
  }

  private int onFailure(Exception e, CommandLine command, ParseResult parsed) {
    Failure failure = Failures.explain(e);
    terminal.out().flush();
    terminal.say(command.getCommandSpec().qualifiedName() + ": " + GivenUp.line(failure));
    trace(e);
    return failure.exitCode();
  }

  private void trace(Exception e) {
    if (verbose) {
      e.printStackTrace(terminal.err());
    }
  }

  /** Reads the version that the build wrote into the jar. */
  public static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String own = RootCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        "DELI " + (own == null ? "(development build)" : own),
        "HBase " + VersionInfo.getVersion(),
        "Java ${java.version}"
      };
    }
  }
}
