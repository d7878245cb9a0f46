package io.deli.lab.campaign;

import io.deli.client.ProgressListener;
import io.deli.lab.campaign.CampaignState.CellSize;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.ProcessCluster.ClusterOptions;
import io.deli.lab.cluster.ShiftedClock;
import io.deli.lab.fault.ProcessFaults;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through the cells of the matrix on a cluster of processes, one after the other, and resumes
 * with the first that has not run to its end.
 */
public final class TortureCampaign {
  private static final Logger LOG = LoggerFactory.getLogger(TortureCampaign.class);

  private static final int STARTS = 4;

  /** A cell that breaks its cluster, or ends below its share, runs again after the others. */
  private static final int PASSES = 4;

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(30);

  /** Between region servers: less than a region takes to move, which HBase alone would not bear. */
  private static final long SERVER_SKEW_MILLIS = 200;

  /** After which HBase's client sends a request again: so long that few calls take longer. */
  private static final long RETRY_MILLIS = 300;

  private final Path directory;
  private final Optional<Path> jar;
  private final Optional<Path> otherJar;
  private final ProgressListener progress;
  private final Consumer<String> told;

  /**
   * @param directory of cluster, histories and results
   * @param otherJar of another version, for upgrades
   */
  public TortureCampaign(
      Path directory,
      Optional<Path> jar,
      Optional<Path> otherJar,
      ProgressListener progress,
      Consumer<String> told) {
    this.directory = directory.toAbsolutePath().normalize();
    this.jar = jar;
    this.otherJar = otherJar;
    this.progress = progress;
    this.told = told;
  }

  private CampaignState state() {
    return new CampaignState(directory.resolve("cells.jsonl"));
  }

  /**
   * Runs the cells, or those with a match in their names, until they have so many operations and
   * faults together, but for what is found wrong; returns the reports of all runs so far.
   */
  public CampaignReport run(long operations, int faults, Pattern filter) throws Exception {
    Files.createDirectories(directory);
    List<Cell> cells =
        Cell.all().stream().filter(cell -> filter.matcher(cell.name()).find()).toList();
    CellSize size = new CellSize(share(operations, cells), (int) share(faults, cells));
    ProcessCluster open = new ProcessCluster(directory.resolve("cluster"));
    ProcessCluster secured = new ProcessCluster(directory.resolve("secured"));
    try {
      Set<Cell> wrong = new HashSet<>();
      Map<Cell, CellSize> left = state().missing(cells, size);
      for (int pass = 0; pass < PASSES && !left.isEmpty(); pass++) {
        told.accept("%d of %d cells are left".formatted(left.size(), cells.size()));
        for (Map.Entry<Cell, CellSize> each : left.entrySet()) {
          Cell cell = each.getKey();
          (cell.secured() ? open : secured).kill();
          if (!isRight(cell.secured() ? secured : open, cell, each.getValue())) {
            wrong.add(cell);
          }
        }
        left = state().missing(cells, size);
        // What was found wrong is not tried until it comes out right.
        left.keySet().removeAll(wrong);
      }
    } finally {
      open.kill();
      secured.kill();
    }
    return new CampaignReport(state().all());
  }

  private static long share(long total, List<Cell> cells) {
    return (total + cells.size() - 1) / Math.max(1, cells.size());
  }

  /** Returns whether nothing was found wrong; a cell that breaks its cluster is not reported. */
  private boolean isRight(ProcessCluster cluster, Cell cell, CellSize size)
      throws InterruptedException {
    try {
      return run(cluster, cell, size).isClean();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.warn("cell {} did not run to its end", cell.name(), e);
      told.accept("%s did not run to its end: %s".formatted(cell.name(), e));
      cluster.kill();
      return true;
    }
  }

  private CellReport run(ProcessCluster cluster, Cell cell, CellSize size) throws Exception {
    if (!cluster.serves()) {
      restart(cluster, cell.secured());
    }
    long seed = ThreadLocalRandom.current().nextLong();
    TableName table = TableName.valueOf("campaign_" + Long.toHexString(System.currentTimeMillis()));
    told.accept("%s: table %s, seed %d".formatted(cell.name(), table, seed));
    Path histories = directory.resolve("histories");
    try (ProcessFaults processes = new ProcessFaults(cluster)) {
      CellRun run = new CellRun(cluster, cell, size, table, histories, seed, progress);
      CellReport report = run.run(processes, otherJar);
      if (report.isClean()) {
        run.drop();
      } else {
        Evidence.keep(histories, Path.of(report.evidence()), report.violations());
      }
      state().add(report);
      CampaignReport.lines(report).forEach(told);
      return report;
    }
  }

  private void restart(ProcessCluster cluster, boolean secured) throws IOException {
    Map<String, String> settings = settings();
    if (secured) {
      settings.putAll(security());
    }
    for (int start = 1; ; start++) {
      cluster.kill();
      FileUtil.fullyDelete(cluster.directory().toFile());
      try {
        cluster.start(new ClusterOptions(Optional.empty(), jar, settings), told);
        return;
      } catch (Failure e) {
        // As on a machine that is busy: its sessions are short.
        if (start == STARTS) {
          throw e;
        }
        told.accept("starting the cluster again: " + e.getMessage());
      }
    }
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(ProcessFaults.settings(OPERATION_TIMEOUT));
    settings.put(ShiftedClock.SKEW, Long.toString(SERVER_SKEW_MILLIS));
    settings.putAll(Cell.Profile.settings());
    settings.put("hbase.client.pause", Long.toString(RETRY_MILLIS));
    return settings;
  }

  /** HBase's own permissions and labels, of users who say who they are. */
  private static Map<String, String> security() {
    String access = "org.apache.hadoop.hbase.security.access.AccessController";
    String labels = "org.apache.hadoop.hbase.security.visibility.VisibilityController";
    return Map.of(
        "hbase.security.authorization",
        "true",
        "hbase.security.exec.permission.checks",
        "true",
        "hbase.superuser",
        System.getProperty("user.name"),
        "hbase.coprocessor.master.classes",
        access + "," + labels,
        "hbase.coprocessor.region.classes",
        access + "," + labels,
        "hbase.coprocessor.regionserver.classes",
        access);
  }
}
