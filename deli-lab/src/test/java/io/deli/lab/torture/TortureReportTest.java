package io.deli.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.judge.Ruling;
import io.deli.lab.torture.Torture.TortureReport;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TortureReportTest {
  private static TortureReport report(long writes, long reads) {
    return new TortureReport(
        1,
        writes,
        0,
        reads,
        0,
        new TreeMap<>(),
        List.of(),
        new Ruling(List.of(), List.of()),
        new Audit(1, List.of(), List.of()));
  }

  @Test
  void aReportWithoutWritesOrReads_isNotClean() {
    assertThat(report(1, 1).isClean()).isTrue();
    assertThat(report(0, 1).isClean()).isFalse();
    assertThat(report(1, 0).isClean()).isFalse();
  }
}
