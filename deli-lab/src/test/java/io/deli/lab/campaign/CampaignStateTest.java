package io.deli.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignStateTest {
  private final List<Cell> cells = Cell.all();
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("cells.jsonl");
  }

  private static CellReport report(Cell cell, String... violations) {
    return new CellReport(
        cell.name(),
        7,
        60,
        new Tally.Outcomes(1, 2, 3, 4, Map.of("IOException", 2L), 5),
        Map.of("kill of client", 1),
        Map.of(),
        List.of(violations),
        List.of(),
        "");
  }

  @Test
  void campaignResumesWithTheFirstCellThatHasNotRun() throws IOException {
    assertThat(new CampaignState(file()).unfinished(cells)).isEqualTo(cells);
    new CampaignState(file()).add(report(cells.get(0)));
    CampaignState resumed = new CampaignState(file());
    assertThat(resumed.unfinished(cells)).isEqualTo(cells.subList(1, cells.size()));
    assertThat(resumed.all()).containsExactly(report(cells.get(0)));
  }

  @Test
  void cellWithAViolationRunsAgainAndItsReportStays() throws IOException {
    CampaignState state = new CampaignState(file());
    state.add(report(cells.get(0), "wrong"));
    assertThat(state.unfinished(cells)).contains(cells.get(0));
    state.add(report(cells.get(0)));
    assertThat(state.unfinished(cells)).doesNotContain(cells.get(0));
    assertThat(state.all()).hasSize(2);
  }

  @Test
  void reportThatWasCutOffIsNone() throws IOException {
    CampaignState state = new CampaignState(file());
    state.add(report(cells.get(0)));
    Files.writeString(file(), "{\"cell\": \"" + cells.get(1).name(), StandardOpenOption.APPEND);
    assertThat(state.all()).hasSize(1);
    state.add(report(cells.get(1)));
    assertThat(state.unfinished(cells)).isEqualTo(cells.subList(2, cells.size()));
  }

  @Test
  void matrixHasEveryStrategyWithBothMaintenancesWherePossible() {
    assertThat(cells).extracting(Cell::name).doesNotHaveDuplicates();
    assertThat(cells).anyMatch(Cell::secured);
    assertThat(cells).extracting(Cell::strategy).contains("deferred", "in-place", "none");
    assertThat(cells).extracting(Cell::order).contains(io.deli.index.EntryOrder.values());
  }
}
