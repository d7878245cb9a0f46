package io.deli.lab.command;

import io.deli.lab.experiment.Campaign;
import io.deli.lab.experiment.ColdDisk;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Report;
import io.deli.lab.experiment.Site;
import io.deli.lab.experiment.Size;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Subcommand;
import io.deli.tools.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "experiment",
    description = {
      "Reproduce the papers' experiments: tables, plots, and whether what they found holds here;",
      "and measure what an index costs against plain HBase and other peers: writes, lookups,",
      "compactions.",
      "Runs on an HBase of its own, or on the one that the options name; creates tables named",
      "deli_experiment_* and drops them. What is measured already is not measured again."
    })
public final class ExperimentCommand extends Subcommand {
  private static final String LIST = "list";
  private static final String ALL = "all";

  @Parameters(
      arity = "1..*",
      paramLabel = "NAME",
      description = "Experiments, or 'all'; 'list' tells what there is.")
  private List<String> names;

  @Option(
      names = "--scale",
      defaultValue = "small",
      description = "${COMPLETION-CANDIDATES}: seconds, minutes, or as long as it takes.")
  private Size size;

  @Option(names = "--rounds", description = "Interleaved rounds; default 1, 3 or 5 by scale.")
  private Integer rounds;

  @Option(names = "--warmups", description = "Rounds ahead that do not count; by scale.")
  private Integer warmups;

  @Option(
      names = "--arms",
      split = ",",
      paramLabel = "ARM",
      description = "Only these, such as plain,deferred, or any strategy; all by default.")
  private Set<String> arms = Set.of();

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "STAGE",
      description = "Only stages whose names have one of these in them, such as put or collected.")
  private Set<String> only = Set.of();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A parameter, as the report names it; several of a list as 1,8,64.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, a directory for each; default: experiments in .deli.")
  private Path out;

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      description =
          "A MariaDB to compare with; default: an own one if mariadbd is installed, else none.")
  private String jdbc;

  @Option(
      names = "--drop-caches",
      description = {
        "Keep the operating system's cache of files empty during the experiments beyond HBase's",
        "cache, so that they read from the disk. Linux and root only; it hits the whole machine."
      })
  private boolean dropCaches;

  @Option(
      names = "--disk-reads",
      paramLabel = "N",
      description = {
        "Let HBase read at most so often a second from the disk meanwhile, as if it were a slow",
        "one; takes --drop-caches."
      })
  private Integer diskReads;

  @Option(names = "--anew", description = "Drop what is measured already.")
  private boolean anew;

  @Override
  public Integer call() throws IOException {
    if (names.contains(LIST)) {
      list();
      return ExitCode.OK;
    }
    List<Experiment> wanted =
        (names.contains(ALL) ? Experiment.names() : names)
            .stream().map(name -> Experiment.named(name, size, parameters, arms)).toList();
    if ((rounds != null && rounds < 1) || (warmups != null && warmups < 0)) {
      throw Failure.usage("--rounds must be at least 1, and --warmups at least 0");
    }
    Path directory = out == null ? deli.home().resolve("experiments") : out;
    Optional<ColdDisk> cold = cold(wanted, directory);
    Lab.Effort effort =
        new Lab.Effort(
            size,
            warmups == null ? size.warmups() : warmups,
            rounds == null ? size.rounds() : rounds,
            only);
    List<Report> reports = new ArrayList<>();
    try (Site site = site(directory)) {
      if (wanted.stream().anyMatch(Experiment::comparesDatabase)) {
        site.checkDatabase();
      }
      Campaign campaign = new Campaign(site, cold, effort, directory, deli.terminal());
      for (Experiment experiment : wanted) {
        reports.add(campaign.run(experiment, anew));
        deli.terminal().say("see " + directory.resolve(experiment.name()).resolve(Report.FILE));
      }
    }
    deli.print(reports.stream().map(Report::json).toList(), () -> print(reports));
    return ExitCode.OK;
  }

  private Optional<ColdDisk> cold(List<Experiment> wanted, Path directory) {
    if (diskReads != null && (diskReads < 1 || !dropCaches)) {
      throw Failure.usage("--disk-reads must be at least 1, and takes --drop-caches");
    }
    if (!dropCaches) {
      return Optional.empty();
    }
    if (deli.namesHBase()) {
      throw Failure.usage(
          "--drop-caches works with an HBase of the experiment's own, on this machine: leave out"
              + " the options that name another");
    }
    if (wanted.stream().noneMatch(Experiment::isBeyondCache)) {
      throw Failure.usage(
          "--drop-caches has no effect on these experiments, whose data is in HBase's cache: choose"
              + " from "
              + Experiment.all(size).stream()
                  .filter(Experiment::isBeyondCache)
                  .map(Experiment::name)
                  .collect(Collectors.joining(", ")));
    }
    return Optional.of(ColdDisk.with(directory, Optional.ofNullable(diskReads)));
  }

  private Site site(Path directory) {
    return new Site(
        deli.namesHBase() ? Optional.of(deli.open()) : Optional.empty(),
        Optional.ofNullable(jdbc),
        directory.toAbsolutePath(),
        size,
        zookeeper ->
            deli.open(new Target(Optional.of(zookeeper), Optional.empty(), deli.dataDirectory())));
  }

  private void list() {
    List<List<String>> rows =
        Experiment.all(size).stream().map(each -> List.of(each.name(), each.sentence())).toList();
    deli.print(rows, () -> deli.terminal().table(List.of("experiment", "what it shows"), rows));
  }

  private void print(List<Report> reports) {
    for (Report report : reports) {
      report.markdown(Optional.empty()).forEach(deli.terminal()::print);
    }
    if (reports.size() > 1) {
      Report.claims(reports).forEach(deli.terminal()::print);
    }
  }
}
