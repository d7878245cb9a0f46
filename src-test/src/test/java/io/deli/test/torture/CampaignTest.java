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
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.OperatedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;

  private final List<CompletableFuture<Void>> planted = new ArrayList<>();

  @Test
  void answersAreExplainedThoughAClientDiesAndLostEntriesAreFound() throws Exception {
    CampaignReport report = run(BOTH, 2);
    CompletableFuture.allOf(planted.toArray(CompletableFuture[]::new)).join();
    CellReport sound = last(report, SOUND);
    assertThat(sound.violations()).isEmpty();
    assertThat(sound.undecided()).isEmpty();
    assertThat(sound.outcomes().checked()).isGreaterThanOrEqualTo(OPERATIONS);
    assertThat(sound.faultCount()).isGreaterThanOrEqualTo(FAULTS);
    assertThat(sound.outcomes().failures()).containsKey("client died");
    CellReport wrong = last(report, PLANTED);
    assertThat(wrong.violations()).anyMatch(found -> found.contains("missed row"));
    assertThat(Path.of(wrong.evidence())).isNotEmptyDirectory();

    assertThat(run(Pattern.compile(SOUND), 1)).as("resumed with nothing left").isEqualTo(report);
  }

  private static CellReport last(CampaignReport report, String cell) {
    return report.runs().stream()
        .filter(run -> run.cell().equals(cell))
        .reduce((one, next) -> next)
        .orElseThrow();
  }

  private CampaignReport run(Pattern cells, int count) throws Exception {
    Optional<Path> jar = Optional.of(OperatedCluster.serverJar());
    return new TortureCampaign(directory, jar, Optional.empty(), ProgressListener.NONE, this::hear)
        .run((long) count * OPERATIONS, count * FAULTS, cells);
  }

  /** A cell begins, of which it is said which table it has. */
  private void hear(String told) {
    Matcher begun = Pattern.compile("(.*): table (\\S+),.*").matcher(told);
    if (begun.matches()) {
      TableName table = TableName.valueOf(begun.group(2));
      boolean sound = begun.group(1).equals(SOUND);
      planted.add(runAsync(sound ? CampaignTest::killClient : () -> loseEntries(table)));
    }
  }

  private static void killClient() {
    boolean killed =
        Await.until(
            PATIENCE,
            () ->
                ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().toString().contains("CampaignClient"))
                    .findAny()
                    .filter(child -> child.info().totalCpuDuration().orElseThrow().toSeconds() > 5)
                    .map(ProcessHandle::destroyForcibly)
                    .orElse(false));
    assertThat(killed).isTrue();
  }

  private void loseEntries(TableName base) {
    TableName entries = IndexDefinitions.indexTable(base, ContendedRows.BY_A);
    Configuration conf = new ProcessCluster(directory.resolve("cluster")).configuration();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(entries)) {
      Eventually.holdsElsewhere(() -> assertThat(admin.tableExists(entries)).isTrue());
      for (int lost = 0; lost < LOST; ) {
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          for (Result entry : scanner) {
            table.delete(new Delete(entry.getRow()));
            lost++;
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
