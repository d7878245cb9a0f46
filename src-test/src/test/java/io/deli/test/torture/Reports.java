package io.deli.test.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.tools.torture.TortureReport;

/** What every torture must come to. */
final class Reports {
  private Reports() {}

  /**
   * Prints a report. Nothing is wrong, and enough was done to say so.
   *
   * @param least writes, and reads, that succeeded
   */
  static void assertClean(TortureReport report, long least) {
    report.lines().forEach(System.out::println);
    assertThat(report.violations()).isEmpty();
    assertThat(report.audit().missing()).isEmpty();
    assertThat(report.audit().garbage()).isEmpty();
    assertThat(report.writes()).isGreaterThan(least);
    assertThat(report.reads()).isGreaterThan(least);
  }
}
