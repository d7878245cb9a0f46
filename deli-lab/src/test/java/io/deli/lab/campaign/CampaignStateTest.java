package io.deli.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.ProgressListener;
import io.deli.lab.campaign.TortureCampaign.CampaignState;
import io.deli.lab.campaign.TortureCampaign.CampaignState.CellSize;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignStateTest {
  /** Of a report: 1 + 2 + 3. */
  private static final int CHECKED = 6;

  private static final List<String> SKIPPED = List.of("no faults of network: run it as root");

  /** Two reports have as much. */
  private static final CellSize SIZE = new CellSize(2 * CHECKED, 2);

  private final List<Cell> cells = Cell.all();
  private Path file;
  private CampaignState state;

  @BeforeEach
  void open(@TempDir Path directory) {
    file = directory.resolve("cells.jsonl");
    state = new CampaignState(file);
  }

  private Map<Cell, CellSize> missing() throws IOException {
    return state.missing(cells, SIZE);
  }

  private static CellReport report(Cell cell, String... violations) {
    return reportOf(cell, "kill of client", violations);
  }

  private static CellReport reportOf(Cell cell, String fault, String... violations) {
    return new CellReport(
        cell.name(),
        7,
        60,
        new CellReport.Outcomes(1, 2, 3, 4, Map.of("IOException", 2L), 5),
        Map.of(fault, 1),
        Map.of(),
        SKIPPED,
        List.of(violations),
        List.of(),
        "");
  }

  @Test
  void campaignResumesWithWhatCellsLack() throws IOException {
    assertThat(missing()).containsOnlyKeys(cells.toArray(Cell[]::new));
    state.add(report(cells.get(0)));
    state.add(report(cells.get(1)));
    state.add(report(cells.get(1)));
    assertThat(state.all())
        .containsExactly(report(cells.get(0)), report(cells.get(1)), report(cells.get(1)));
    assertThat(missing())
        .containsEntry(cells.get(0), new CellSize(SIZE.operations() - CHECKED, 1))
        .doesNotContainKey(cells.get(1))
        .containsEntry(cells.get(2), SIZE);
  }

  @Test
  void cellOfMachinesThatHadFaultsOfTablesOnly_isNotFinished() throws IOException {
    Cell machines =
        cells.stream()
            .filter(cell -> cell.profile() == Cell.Profile.MACHINES)
            .findFirst()
            .orElseThrow();
    state.add(reportOf(machines, "flush"));
    state.add(reportOf(machines, "move"));
    assertThat(missing()).containsEntry(machines, new CellSize(0, 1));
    state.add(reportOf(machines, "full disk"));
    assertThat(missing()).doesNotContainKey(machines);
    assertThat(new CampaignReport(state.all(), List.of()).lines()).containsOnlyOnce(SKIPPED.get(0));
    assertThat(CampaignReport.lines(state.all().get(0))).contains("  " + SKIPPED.get(0));
  }

  @Test
  void reportThatDoesNotTellWhatWasSkipped_isRead() throws IOException {
    state.add(report(cells.get(0)));
    Files.writeString(file, Files.readString(file).replaceAll("\"skipped\":[^]]*],", ""));
    assertThat(state.all()).extracting(CellReport::skipped).containsExactly(List.of());
  }

  @Test
  void runWithAViolationCountsForNothingAndItsReportStays() throws IOException {
    state.add(report(cells.get(0), "wrong"));
    assertThat(missing()).containsEntry(cells.get(0), SIZE);
    assertThat(state.all()).hasSize(1);
  }

  @Test
  void reportThatWasCutOffIsNone() throws IOException {
    state.add(report(cells.get(0)));
    Files.writeString(file, "{\"cell\": \"" + cells.get(1).name(), StandardOpenOption.APPEND);
    assertThat(state.all()).hasSize(1);
    state.add(report(cells.get(2)));
    assertThat(state.all()).containsExactly(report(cells.get(0)), report(cells.get(2)));
  }

  @Test
  void aCellThatIsNotJudged_isListedAndMakesTheReportUnclean() {
    List<CellReport> right = List.of(report(cells.get(0)));
    assertThat(new CampaignReport(right, List.of()).isClean()).isTrue();
    CampaignReport lacking = new CampaignReport(right, List.of(cells.get(1).name()));
    assertThat(lacking.isClean()).isFalse();
    assertThat(lacking.lines()).anyMatch(line -> line.startsWith(cells.get(1).name()));
  }

  @Test
  void aFilterThatMatchesNoCell_isRefused(@TempDir Path directory) {
    TortureCampaign campaign =
        new TortureCampaign(
            directory, Optional.empty(), Optional.empty(), ProgressListener.NONE, line -> {});
    assertThatThrownBy(() -> campaign.run(1, 1, Pattern.compile("defered")))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("no cell matches 'defered'");
  }

  @Test
  void matrixHasEveryStrategyWithBothMaintenancesWherePossible() {
    assertThat(cells).extracting(Cell::name).doesNotHaveDuplicates();
    assertThat(cells).anyMatch(Cell::secured);
    assertThat(cells).extracting(Cell::strategy).contains("deferred", "in-place", "none");
    assertThat(cells).extracting(Cell::order).contains(io.deli.index.EntryOrder.values());
  }
}
