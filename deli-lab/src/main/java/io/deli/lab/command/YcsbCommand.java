package io.deli.lab.command;

import io.deli.lab.cluster.Shell;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.Format;
import io.deli.tools.output.Terminal;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

@Command(
    name = "ycsb",
    description = {
      "Run YCSB, with reads by value, on this HBase.",
      "Further options are YCSB's own, as -threads; deli-ycsb/README.md lists the properties."
    },
    footer = {
      "",
      "Examples:",
      "  lab ycsb load -P deli-ycsb/workloads/workloada-values",
      "  lab ycsb run -P deli-ycsb/workloads/workloada-values -p operationcount=5000 -threads 4"
    })
public final class YcsbCommand extends Subcommand {
  private static final String BINDING = "io.deli.ycsb.DeliClient";
  private static final String WORKLOAD = "io.deli.ycsb.ValueWorkload";
  private static final String JSON =
      "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter";

  enum Phase {
    LOAD,
    RUN
  }

  @Parameters(
      index = "0",
      paramLabel = "PHASE",
      description = "load: insert the records; run: the operations.")
  private Phase phase;

  @Option(names = "-P", paramLabel = "FILE", description = "A workload; several add up.")
  private List<Path> files = List.of();

  @Option(names = "-p", paramLabel = "NAME=VALUE", description = "A property; beats the files'.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Unmatched private final List<String> others = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    for (Path file : files) {
      if (!Files.isReadable(file)) {
        throw Failure.usage("cannot read the workload " + file);
      }
    }
    try (Session session = deli.open();
        YcsbProcess ycsb =
            new YcsbProcess(session.connection().getConfiguration(), deli.terminal())) {
      return ycsb.run(defaults(), arguments(), report());
    }
  }

  private Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("db", BINDING);
    defaults.put("workload", WORKLOAD);
    defaults.put("columnfamily", "f");
    defaults.put("deli.ycsb.create", Boolean.toString(phase == Phase.LOAD));
    if (deli.format(Format.TABLE) == Format.JSON) {
      defaults.put("exporter", JSON);
    }
    return defaults;
  }

  private Optional<Path> report() {
    return Optional.ofNullable(properties.get("exportfile")).map(Path::of);
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(phase == Phase.LOAD ? "-load" : "-t");
    files.forEach(file -> arguments.addAll(List.of("-P", file.toString())));
    properties.forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
    arguments.addAll(others);
    return arguments;
  }

  /**
   * YCSB's client in a process of its own, for it ends with {@code System.exit}, and always with 0:
   * how it went is seen in its report.
   */
  private static final class YcsbProcess implements AutoCloseable {
    private static final String MAIN = "site.ycsb.Client";
    private static final Pattern OUTCOME = Pattern.compile("Return=(\\w+)");
    private static final Set<String> FINE = Set.of("OK", "NOT_FOUND", "BATCHED_OK");
    private static final String LOG =
        """
        log4j.rootLogger=WARN, console
        log4j.appender.console=org.apache.log4j.ConsoleAppender
        log4j.appender.console.target=System.err
        log4j.appender.console.layout=org.apache.log4j.PatternLayout
        log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
        """;

    private final Terminal terminal;
    private final Path directory;
    private final Set<String> outcomes = new HashSet<>();
    private boolean reported;

    YcsbProcess(Configuration conf, Terminal terminal) throws IOException {
      this.terminal = terminal;
      this.directory = Files.createTempDirectory("deli-ycsb");
      try (OutputStream site = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
        conf.writeXml(site);
      }
      Files.writeString(directory.resolve("log4j.properties"), LOG);
    }

    /**
     * Runs YCSB to its end, printing what it prints; properties may be set otherwise by arguments.
     *
     * @param report where the report goes, if not to standard output
     * @return {@link ExitCode#OK}, or {@link ExitCode#PARTIAL} if operations failed
     * @throws Failure if YCSB came to no report
     */
    int run(Map<String, String> defaults, List<String> arguments, Optional<Path> report)
        throws IOException {
      Path file = directory.resolve("defaults.properties");
      Properties properties = new Properties();
      properties.putAll(defaults);
      try (OutputStream out = Files.newOutputStream(file)) {
        properties.store(out, null);
      }
      List<String> command = Shell.java(MAIN, "-P", file.toString());
      command.addAll(arguments);
      ProcessBuilder builder = new ProcessBuilder(command);
      builder
          .environment()
          .put("CLASSPATH", directory + File.pathSeparator + System.getProperty("java.class.path"));
      Process process = builder.start();
      BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
      Thread complaints = new Thread(() -> said.lines().forEach(terminal::say));
      complaints.start();
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        out.lines()
            .forEach(
                line -> {
                  terminal.print(line);
                  note(line);
                });
        complaints.join();
        process.waitFor();
      } catch (InterruptedException e) {
        process.destroy();
        Thread.currentThread().interrupt();
        throw Failure.of("interrupted while YCSB ran");
      }
      if (report.isPresent() && Files.exists(report.get())) {
        Files.readAllLines(report.get()).forEach(this::note);
      }
      return verdict();
    }

    /** Text and JSON have the same words. */
    private void note(String line) {
      reported |= line.contains("OVERALL");
      Matcher outcome = OUTCOME.matcher(line);
      while (outcome.find()) {
        outcomes.add(outcome.group(1));
      }
    }

    private int verdict() {
      if (!reported) {
        throw Failure.of("YCSB came to no report: see what it said above");
      }
      if (outcomes.isEmpty()) {
        throw Failure.of("YCSB did no operation: see what it said above");
      }
      outcomes.removeAll(FINE);
      if (outcomes.isEmpty()) {
        return ExitCode.OK;
      }
      terminal.say("operations failed: " + outcomes + ", counted in the report above");
      return ExitCode.PARTIAL;
    }

    @Override
    public void close() {
      FileUtil.fullyDelete(directory.toFile());
    }
  }
}
