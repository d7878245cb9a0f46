package io.deli.test.torture;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ProgressListener;
import io.deli.lab.campaign.CampaignReport;
import io.deli.lab.campaign.CellReport;
import io.deli.lab.campaign.TortureCampaign;
import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.torture.ContendedRows;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.OperatedCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two cells of a campaign: a client dies in the first, entries vanish from the second's index. */
@Tag("campaign")
class CampaignTest {
  private static final String SOUND = "deferred-client-by_key-tables";
  private static final String PLANTED = "deferred-server-by_time-tables";
  private static final Pattern BOTH = Pattern.compile(SOUND + "|" + PLANTED);
  private static final int OPERATIONS = 5_000;
  private static final int FAULTS = 4;

  private static final int LOST = 2_000;
  private static final int PAGE = 100;

  /** The size of a client's history when it is in the middle of its calls. */
  private static final long HISTORY_BYTES = 50_000;

  private static final Duration LONGEST = Duration.ofHours(1);

  @TempDir private Path directory;

  private final List<CompletableFuture<Void>> planted = new ArrayList<>();

  /** The latest message: that a cell begins, as long as it runs. */
  private volatile String told = "";

  @Test
  void answersAreExplainedThoughAClientDiesAndLostEntriesAreFound() throws Exception {
    CampaignReport report = run(BOTH, 2);
    // A cell that its time ends runs again for the rest.
    List<CellReport> sound = runs(report, SOUND);
    assertThat(sound).allMatch(CellReport::isClean).allMatch(run -> run.undecided().isEmpty());
    assertThat(sound.stream().mapToLong(run -> run.outcomes().checked()).sum())
        .isGreaterThanOrEqualTo(OPERATIONS);
    assertThat(sound.stream().mapToInt(CellReport::faultCount).sum())
        .isGreaterThanOrEqualTo(FAULTS);
    assertThat(sound)
        .as("%s", planted)
        .anyMatch(run -> run.outcomes().failures().containsKey("client died"));
    List<CellReport> lossy = runs(report, PLANTED);
    CellReport wrong = lossy.get(lossy.size() - 1);
    assertThat(wrong.violations())
        .as("%s", planted)
        .anyMatch(found -> found.contains("missed row"));
    assertThat(Path.of(wrong.evidence())).isNotEmptyDirectory();

    assertThat(run(Pattern.compile(SOUND), 1)).as("resumed with nothing left").isEqualTo(report);
  }

  private static List<CellReport> runs(CampaignReport report, String cell) {
    return report.runs().stream().filter(run -> run.cell().equals(cell)).toList();
  }

  private CampaignReport run(Pattern cells, int count) throws Exception {
    Optional<Path> jar = Optional.of(OperatedCluster.serverJar());
    return new TortureCampaign(directory, jar, Optional.empty(), ProgressListener.NONE, this::hear)
        .run((long) count * OPERATIONS, count * FAULTS, cells);
  }

  /** A cell begins, of which it is said which table it has. */
  private void hear(String line) {
    told = line;
    Matcher begun = Pattern.compile("(.*): table (\\S+),.*").matcher(line);
    if (begun.matches()) {
      TableName table = TableName.valueOf(begun.group(2));
      boolean sound = begun.group(1).equals(SOUND);
      planted.add(
          sound ? runAsync(() -> killClient(line)) : runAsync(() -> loseEntries(line, table)));
    }
  }

  private boolean isOver(String cell) {
    return !told.equals(cell);
  }

  private void killClient(String cell) {
    Await.until(LONGEST, () -> isOver(cell) || busyClients().anyMatch(CampaignTest::kill));
  }

  private Stream<String> busyClients() {
    File[] files = directory.resolve("histories").toFile().listFiles();
    return Stream.ofNullable(files)
        .flatMap(Arrays::stream)
        .filter(file -> file.getName().endsWith(".history") && file.length() > HISTORY_BYTES)
        .map(file -> file.getName().split("\\.", 2)[0]);
  }

  private static boolean kill(String client) {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().toString().contains(client))
        .anyMatch(ProcessHandle::destroyForcibly);
  }

  private void loseEntries(String cell, TableName base) {
    TableName entries = IndexDefinitions.indexTable(base, ContendedRows.BY_A);
    Configuration conf = new ProcessCluster(directory.resolve("cluster")).configuration();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(entries)) {
      Await.until(LONGEST, () -> isOver(cell) || admin.tableExists(entries));
      for (int lost = 0; lost < LOST && !isOver(cell); ) {
        try (ResultScanner scanner = table.getScanner(new Scan().setLimit(PAGE))) {
          for (Result entry : scanner) {
            table.delete(new Delete(entry.getRow()));
            lost++;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
