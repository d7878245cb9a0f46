package io.deli.lab.campaign;

import io.deli.client.ProgressListener;
import io.deli.lab.campaign.HistoryFile.HistoryTail;
import io.deli.lab.campaign.TortureCampaign.CampaignState.CellSize;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.ShiftedClock;
import io.deli.lab.fault.ProcessFaults;
import io.deli.lab.judge.HistoryRecord;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through the cells of the matrix on a cluster of processes, one after the other, and resumes
 * with the first that has not run to its end.
 *
 * @param directory of cluster, histories and results
 * @param otherJar of another version, for upgrades
 */
public record TortureCampaign(
    Path directory,
    Optional<Path> jar,
    Optional<Path> otherJar,
    ProgressListener progress,
    Consumer<String> told) {
  private static final Logger LOG = LoggerFactory.getLogger(TortureCampaign.class);

  private static final Pattern ROW = Pattern.compile("c\\d{5}-[A-Z_]+-\\d+");
  private static final int STARTS = 4;

  /** A cell that breaks its cluster, or ends below its share, runs again after the others. */
  private static final int PASSES = 4;

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(30);

  /** Between region servers: less than a region takes to move, which HBase alone would not bear. */
  private static final long SERVER_SKEW_MILLIS = 200;

  /** After which HBase's client sends a request again: so long that few calls take longer. */
  private static final long RETRY_MILLIS = 300;

  public TortureCampaign {
    directory = directory.toAbsolutePath().normalize();
  }

  private CampaignState state() {
    return new CampaignState(directory.resolve("cells.jsonl"));
  }

  /**
   * Runs the cells, or those with a match in their names, until they have so many operations and
   * faults together, but for what is found wrong; returns the reports of all runs so far.
   *
   * @throws Failure of usage if no cell has a match
   */
  public CampaignReport run(long operations, int faults, Pattern filter) throws Exception {
    List<Cell> cells =
        Cell.all().stream().filter(cell -> filter.matcher(cell.name()).find()).toList();
    if (cells.isEmpty()) {
      throw Failure.usage(
          "no cell matches '%s': their names are like %s"
              .formatted(filter, Cell.all().get(0).name()));
    }
    Files.createDirectories(directory);
    CellSize size = new CellSize(share(operations, cells), (int) share(faults, cells));
    ProcessCluster open = new ProcessCluster(directory.resolve("cluster"));
    ProcessCluster secured = new ProcessCluster(directory.resolve("secured"));
    Map<Cell, CellSize> left = state().missing(cells, size);
    try {
      Set<Cell> wrong = new HashSet<>();
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
    return new CampaignReport(state().all(), left.keySet().stream().map(Cell::name).toList());
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
    Path histories = directory.resolve("histories");
    CellRun run = new CellRun(cluster, cell, size, histories, progress);
    told.accept(run.toString());
    try (ProcessFaults processes = new ProcessFaults(cluster)) {
      CellReport report = run.run(processes, otherJar);
      if (report.isClean()) {
        run.drop();
      } else {
        keep(histories, Path.of(report.evidence()), report.violations());
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
        cluster.start(Optional.empty(), jar, settings, told);
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

  private record Line(long time, String text) {}

  /** Moves the histories, and tells in a text what they have of the rows that violations name. */
  private static void keep(Path directory, Path to, List<String> violations) throws IOException {
    Files.createDirectories(to);
    Files.write(to.resolve("violations.txt"), violations);
    Set<String> rows = rows(String.join("\n", violations)).collect(Collectors.toSet());
    List<Line> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".history")) {
          read(file, rows, lines);
        }
        Files.move(file, to.resolve(file.getFileName()));
      }
    }
    lines.sort(Comparator.comparingLong(Line::time));
    Files.write(to.resolve("rows.txt"), lines.stream().map(Line::text).toList());
  }

  private static Stream<String> rows(String text) {
    return ROW.matcher(text).results().map(MatchResult::group);
  }

  private static void read(Path file, Set<String> rows, List<Line> lines) throws IOException {
    String client = file.getFileName().toString();
    HistoryTail.read(
        file,
        record -> {
          String text = record.toJson();
          if (record instanceof HistoryRecord.Failed || rows(text).anyMatch(rows::contains)) {
            lines.add(new Line(record.time(), "%d %s %s".formatted(record.time(), client, text)));
          }
        });
  }

  /** The cells of a campaign that have run, in a file with a line of JSON for each. */
  record CampaignState(Path file) {
    /** The operations to be checked in a cell and the faults to befall, at least. */
    record CellSize(long operations, int faults) {}

    void add(CellReport report) throws IOException {
      String before = Files.exists(file) ? Files.readString(file) : "";
      // A line of which the end is missing stays by itself.
      String separator = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
      Files.writeString(
          file,
          separator + new Gson().toJson(report) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }

    /** All runs, the oldest first; a cell that was interrupted while it was added has not run. */
    List<CellReport> all() throws IOException {
      List<CellReport> all = new ArrayList<>();
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file)) {
          try {
            CellReport report = new Gson().fromJson(line, CellReport.class);
            if (report != null) {
              all.add(report);
            }
          } catch (JsonSyntaxException e) {
            // Cut off.
          }
        }
      }
      return all;
    }

    /**
     * Returns the size that each cell still lacks, by its clean runs; cells that lack nothing are
     * left out, and none has enough without a fault of its own. The order is that of the cells.
     */
    Map<Cell, CellSize> missing(List<Cell> cells, CellSize size) throws IOException {
      List<CellReport> clean = all().stream().filter(CellReport::isClean).toList();
      Map<Cell, CellSize> missing = new LinkedHashMap<>();
      for (Cell cell : cells) {
        long operations = size.operations();
        int faults = size.faults();
        boolean met = cell.profile().isMetBy(Set.of());
        for (CellReport run : clean) {
          if (run.cell().equals(cell.name())) {
            operations -= run.outcomes().checked();
            faults -= run.faultCount();
            met |= cell.profile().isMetBy(run.faults().keySet());
          }
        }
        faults = Math.max(met ? 0 : 1, faults);
        if (operations > 0 || faults > 0) {
          missing.put(cell, new CellSize(Math.max(0, operations), faults));
        }
      }
      return missing;
    }
  }
}
