package io.deli.lab.command;

import io.deli.client.DeliConnection;
import io.deli.index.IndexDefinition;
import io.deli.index.Maintenance;
import io.deli.lab.campaign.CampaignReport;
import io.deli.lab.campaign.TortureCampaign;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.ShiftedClock;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import io.deli.lab.fault.ProcessFaults;
import io.deli.lab.torture.Soak;
import io.deli.lab.torture.Soak.SoakReport;
import io.deli.lab.torture.Torture;
import io.deli.lab.torture.Torture.TortureReport;
import io.deli.lab.torture.TortureWorkload;
import io.deli.lab.torture.TortureWorkload.Contention;
import io.deli.strategy.Strategies;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.output.Progress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "torture",
    description = {
      "Let clients write and read a small table while faults befall the cluster, and judge every"
          + " answer.",
      "Without --kill on the HBase that the options name: flushes, compactions, splits, merges,"
          + " moves.",
      "With --kill on a cluster of processes of its own (--data names its directory), whose"
          + " processes are killed and stopped as well.",
      "With --soak writers saturate the HBase that the options name instead, and memory, queues,"
          + " other work and moves of regions are watched. The exit code is 1 if anything is wrong."
    })
public final class TortureCommand extends Subcommand {
  /** Of read repair: longer than any request may be under way. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration GRACE_AMID_KILLS = Duration.ofSeconds(60);

  private static final Duration OPERATION_TIMEOUT = Duration.ofMinutes(1);
  private static final int ROWS = 32;
  private static final long PAUSE_MILLIS = 10;

  @Option(
      names = "--minutes",
      description = "How long clients work, at least; default 1. Not with --campaign.")
  private Double minutes;

  @Option(names = "--soak", description = "Saturate, and watch whether all stays bounded.")
  private boolean soak;

  @Option(names = "--kill", description = "Kill and stop processes, too.")
  private boolean kill;

  @Option(
      names = "--strategy",
      description = "Of the indexes; default deferred. Not with --soak or --campaign.")
  private String strategy;

  @Option(names = "--seed", description = "Of all choices; by default a fresh one, reported.")
  private Long seed;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Between two faults; default ${DEFAULT-VALUE}.")
  private int interval;

  @Option(
      names = "--client-skew",
      paramLabel = "MILLIS",
      defaultValue = "5000",
      description =
          "How far the clocks of clients are apart, one ahead and one behind; default"
              + " ${DEFAULT-VALUE}.")
  private long clientSkew;

  @Option(
      names = "--server-skew",
      paramLabel = "MILLIS",
      defaultValue = "200",
      description =
          "With --kill, how far the clocks of region servers are apart; default ${DEFAULT-VALUE}."
              + " Beyond the time that a region takes to move, HBase alone loses writes.")
  private long serverSkew;

  @Option(
      names = "--contended",
      paramLabel = "ROWS",
      defaultValue = "2",
      description =
          "Rows of each of five kinds that all threads contend for, by conditional writes,"
              + " Increments, deletes and equal values; default ${DEFAULT-VALUE}.")
  private int contended;

  @Option(
      names = "--faults",
      paramLabel = "PROFILE",
      description = {
        "Only those of ${COMPLETION-CANDIDATES}.",
        "Those of processes, network, disk and clocks need --kill; what cannot be done here is"
            + " told."
      })
  private FaultProfile profile;

  @Option(
      names = "--other-jar",
      paramLabel = "FILE",
      description =
          "With --faults OPERATIONS or --campaign: a jar of another version, to upgrade to and"
              + " back.")
  private Path otherJar;

  @Option(
      names = "--campaign",
      description = {
        "Go through a matrix of strategies, maintenances and faults on a cluster of processes of"
            + " its own",
        "(--data names its directory), with client processes, and resume where that was"
            + " interrupted."
      })
  private boolean campaign;

  @Option(
      names = "--operations",
      defaultValue = "10000000",
      description = "With --campaign, to check in all cells together; default ${DEFAULT-VALUE}.")
  private long operations;

  @Option(
      names = "--fault-count",
      paramLabel = "FAULTS",
      defaultValue = "1000",
      description = "With --campaign, to happen in all cells together; default ${DEFAULT-VALUE}.")
  private int faultCount;

  @Option(
      names = "--cells",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "With --campaign, only cells whose name has a match; default all.")
  private String cells;

  @Option(names = "--redefine", description = "Drop, create again and rebuild indexes, too.")
  private boolean redefine;

  @Override
  public Integer call() throws Exception {
    checkExclusions();
    if ((minutes != null && minutes <= 0) || interval < 1) {
      throw Failure.usage("--minutes must be positive, --interval at least 1");
    }
    if (Math.min(Math.min(clientSkew, serverSkew), contended) < 0) {
      throw Failure.usage("--client-skew, --server-skew and --contended must not be negative");
    }
    if (redefine && contended == 0) {
      throw Failure.usage("--redefine is about the indexes of contended rows: give --contended");
    }
    if (campaign) {
      CampaignReport report = campaign();
      return tell(report, report.lines(), report.isClean());
    }
    if (soak) {
      SoakReport report = soak();
      return tell(report, report.lines(), report.isClean());
    }
    TortureReport report = kill ? onProcesses() : onCluster();
    return tell(report, report.lines(), report.isClean());
  }

  /** A campaign and a soak choose for themselves what the others are told. */
  private void checkExclusions() {
    Failure.ifBoth("--soak", soak, "--kill", kill);
    Failure.ifBoth("--soak", soak, "--campaign", campaign);
    Failure.ifBoth("--campaign", campaign, "--minutes", minutes);
    String mode = soak ? "--soak" : "--campaign";
    boolean chooses = soak || campaign;
    Failure.ifBoth(mode, chooses, "--strategy", strategy);
    Failure.ifBoth(mode, chooses, "--seed", seed);
    Failure.ifBoth(mode, chooses, "--faults", profile);
    Failure.ifBoth(mode, chooses, "--redefine", redefine);
  }

  private int tell(Object report, List<String> lines, boolean clean) {
    deli.print(report, () -> lines.forEach(deli.terminal()::print));
    return clean ? ExitCode.OK : ExitCode.FAILED;
  }

  private CampaignReport campaign() throws Exception {
    try (Progress progress = new Progress(deli.terminal())) {
      return new TortureCampaign(
              deli.directory("campaign"),
              ClusterCommand.builtJar(),
              Optional.ofNullable(otherJar),
              progress,
              deli.terminal()::say)
          .run(operations, faultCount, Pattern.compile(cells));
    }
  }

  private SoakReport soak() throws Exception {
    try (Session session = deli.open();
        Progress progress = new Progress(deli.terminal())) {
      return new Soak(session.connection(), session.indexed(), newTable("deli_soak_"))
          .run(length(), progress);
    }
  }

  private Duration length() {
    return Duration.ofSeconds(minutes == null ? 60 : (long) Math.ceil(minutes * 60));
  }

  private static TableName newTable(String stem) {
    return TableName.valueOf(stem + Long.toHexString(System.currentTimeMillis()));
  }

  private TortureReport onCluster() throws Exception {
    try (Session session = deli.open()) {
      return run(session.connection(), Optional.empty());
    }
  }

  private TortureReport onProcesses() throws Exception {
    ProcessCluster cluster = new ProcessCluster(deli.directory("torture"));
    cluster.start(Optional.empty(), ClusterCommand.builtJar(), settings(), deli.terminal()::say);
    try (ProcessFaults processes = new ProcessFaults(cluster);
        Connection connection = ConnectionFactory.createConnection(cluster.configuration())) {
      return run(connection, Optional.of(processes));
    } finally {
      cluster.stop(deli.terminal()::say);
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(ProcessFaults.settings(OPERATION_TIMEOUT));
    settings.put(ShiftedClock.SKEW, Long.toString(serverSkew));
    if (profile != null) {
      settings.putAll(profile.settings());
    }
    return settings;
  }

  /** For minutes and more: so few calls that the history fits into memory. */
  private TortureWorkload workload() {
    return new TortureWorkload(
        ROWS,
        clientSkew,
        PAUSE_MILLIS,
        (kill ? GRACE_AMID_KILLS : GRACE).toMillis(),
        Strategies.named(strategy == null ? IndexDefinition.DEFAULT_STRATEGY : strategy).name(),
        Maintenance.CLIENT,
        new Contention(contended, 2 * PAUSE_MILLIS, kill));
  }

  private TortureReport run(Connection plain, Optional<ProcessFaults> processes) throws Exception {
    long chosen = seed == null ? ThreadLocalRandom.current().nextLong() : seed;
    TableName name = newTable("deli_torture_");
    deli.terminal().say("table %s, seed %d".formatted(name, chosen));
    TortureWorkload workload = workload();
    Configuration conf = new Configuration(plain.getConfiguration());
    workload.configure(conf);
    List<Fault> faults = faults(plain, name, workload, processes);
    try (Progress progress = new Progress(deli.terminal())) {
      TortureReport report =
          new Torture(
                  plain,
                  name,
                  workload,
                  oracle -> DeliConnection.wrap(ConnectionFactory.createConnection(conf), oracle),
                  chosen,
                  0)
              .run(faults, length(), Duration.ofSeconds(interval), progress);
      if (report.isClean()) {
        TortureWorkload.drop(plain, name);
      } else {
        deli.terminal().say("table " + name + " is left for you to look at");
      }
      return report;
    }
  }

  private List<Fault> faults(
      Connection plain,
      TableName name,
      TortureWorkload workload,
      Optional<ProcessFaults> processes) {
    FaultTarget target =
        new FaultTarget(
            plain,
            name,
            contended == 0 ? List.of() : workload.contended(),
            processes,
            List::of,
            Optional.ofNullable(otherJar));
    if (profile != null) {
      profile.skipped(target).forEach(deli.terminal()::say);
      return profile.faults(target);
    }
    List<Fault> faults = new ArrayList<>(FaultProfile.TABLES.faults(target));
    if (redefine) {
      faults.addAll(FaultProfile.DEFINITIONS.faults(target));
    }
    processes.ifPresent(each -> faults.addAll(each.all()));
    return faults;
  }
}
