package io.deli.lab.command;

import io.deli.tools.Failure;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code lab ycsb}. */
@Command(
    name = "ycsb",
    description = {
      "Run YCSB, with reads by value, on this HBase.",
      "Options are YCSB's own; deli-ycsb/README.md lists the properties."
    },
    footer = {
      "",
      "Examples:",
      "  lab ycsb load -P deli-ycsb/workloads/workloada-values",
      "  lab ycsb run -P deli-ycsb/workloads/workloada-values -p operationcount=5000 -threads 4"
    })
public final class YcsbCommand implements Callable<Integer> {
  private static final String BINDING = "io.deli.ycsb.DeliClient";
  private static final String WORKLOAD = "io.deli.ycsb.ValueWorkload";
  private static final String JSON =
      "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter";

  enum Phase {
    LOAD,
    RUN
  }

  @ParentCommand private RootCommand deli;

  @Parameters(
      index = "0",
      paramLabel = "PHASE",
      description = "load: insert the records; run: the operations.")
  private Phase phase;

  @Option(names = "-P", paramLabel = "FILE", description = "A workload; several add up.")
  private List<Path> files = List.of();

  @Option(names = "-p", paramLabel = "NAME=VALUE", description = "A property; beats the files'.")
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(names = "-threads", paramLabel = "N", description = "Threads; default 1.")
  private Integer threads;

  @Option(names = "-target", paramLabel = "N", description = "Operations a second, at most.")
  private Integer target;

  @Option(names = "-s", description = "Tell the state every ten seconds.")
  private boolean status;

  @Option(names = "-l", paramLabel = "LABEL", description = "Label of what -s tells.")
  private String label;

  @Option(
      names = "-db",
      paramLabel = "CLASS",
      defaultValue = BINDING,
      description = "The binding; default ${DEFAULT-VALUE}.")
  private String binding;

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
    arguments.addAll(List.of(phase == Phase.LOAD ? "-load" : "-t", "-db", binding));
    files.forEach(file -> arguments.addAll(List.of("-P", file.toString())));
    properties.forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
    if (threads != null) {
      arguments.addAll(List.of("-threads", threads.toString()));
    }
    if (target != null) {
      arguments.addAll(List.of("-target", target.toString()));
    }
    if (status) {
      arguments.add("-s");
    }
    if (label != null) {
      arguments.addAll(List.of("-l", label));
    }
    return arguments;
  }
}
