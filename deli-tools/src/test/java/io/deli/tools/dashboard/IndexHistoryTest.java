package io.deli.tools.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexHistoryTest {
  private static final Duration STEP = Duration.ofMinutes(5);

  @TempDir private Path directory;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  @AutoClose private IndexHistory history;

  @BeforeEach
  void open() {
    history = IndexHistory.open(directory, "cluster", () -> now);
  }

  private List<?> points() {
    return (List<?>) history.of("t", "by_q").get("points");
  }

  private void note(int times) {
    for (int i = 0; i < times; i++) {
      now = now.plus(STEP);
      history.note("t", "by_q", Map.of("bytes", i));
    }
  }

  @Test
  void manyPointsAreFewer_andNoKindOfFactIsLost() {
    note(700);
    history.note("t", "by_q", Map.of("garbage", 0.25));
    note(700);
    assertThat(points()).hasSizeBetween(400, 500);
    assertThat(points().toString()).containsOnlyOnce("\"garbage\":0.25");
    assertThat(points().get(points().size() - 1)).asString().contains("\"bytes\":699");
  }

  @Test
  void factsOfOneMomentStandBesideEachOther() {
    history.note("t", "by_q", Map.of("bytes", 7));
    history.note("t", "by_q", Map.of("garbage", 0.5));
    assertThat(points()).hasSize(2);
  }

  @Test
  void pointsOfMoreThanThirtyDaysAgoGo() {
    note(1);
    now = now.plus(Duration.ofDays(31));
    note(1);
    assertThat(points()).hasSize(1);
  }

  @Test
  void aFileThatCannotBeUsedIsTold_andKeepsNobodyFromThePage() {
    note(1);
    history.close();
    history.note("t", "by_q", Map.of("bytes", 1));
    assertThat(points()).isEmpty();
    assertThat(history.of("t", "by_q").get("lack")).asString().contains("cannot be used");
  }

  @Test
  void askingForAnUnknownIndexLeavesNothing() {
    assertThat(points()).isEmpty();
    history.close();
    history = IndexHistory.open(directory, "cluster", () -> now);
    assertThat(history.of("t", "by_q")).containsEntry("lack", "");
  }
}
