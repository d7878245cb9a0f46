package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deli.client.ProgressListener;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.client.VerifyReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Verifications that are stopped, and go on, or keep to a rate. */
class VerifyInPartsTest {
  private static final VerifyOptions ALL = VerifyOptions.DEFAULT.withSamples(100);

  /** So long ago that no writer is under way. */
  private static final long OLD = 1_000;

  @Test
  void goesOnWhereTheTimeWasUpAndKeepsToItsRange() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      for (String row : List.of("a", "b", "d")) {
        table.write(row, "v" + row);
      }
      table.writePastDeli("c", "v", OLD);
      table.putEntries("e", "v", OLD);

      VerifyOptions inPieces = ALL.withTime(Duration.ZERO);
      List<String> found = new ArrayList<>();
      VerifyReport report = table.verify("deferred", inPieces);
      int runs = 1;
      while (!report.isComplete()) {
        assertThat(report.versions() + report.entries()).isLessThanOrEqualTo(2);
        found.addAll(VerifiedTable.texts(report));
        report = table.verify("deferred", inPieces.withPosition(report.position().get()));
        runs++;
      }
      found.addAll(VerifiedTable.texts(report));
      assertThat(found)
          .containsExactly(
              "MISSING " + VerifiedTable.entryOf("c", "v", OLD),
              "DANGLING " + VerifiedTable.entryOf("e", "v", OLD));
      assertThat(runs).isEqualTo(7);

      VerifyReport beginning =
          table.verify("deferred", ALL.withRange(Bytes.toBytes("a"), Bytes.toBytes("c")));
      assertThat(beginning.found()).isEmpty();
      assertThat(beginning.versions()).isEqualTo(2);
      assertThat(beginning.entries()).isEqualTo(2);
    }
  }

  /** The first rows wait to be checked again, while those behind them are done. */
  @Test
  void goesOnBehindWhatIsDoneInOrder() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      for (String row : List.of("b", "c", "d", "e", "f")) {
        table.write(row, "v" + row);
      }
      table.writePastDeli("a", "v", OLD);
      table.writePastDeli("g", "v", OLD);
      List<String> told = new ArrayList<>();
      ProgressListener killer =
          VerifiedTable.hearing(
              position -> {
                told.add(position);
                if (told.size() == 2) {
                  throw new IllegalStateException("killed");
                }
              });

      // By its rate, it reads two rows at a time.
      VerifyFailedException killed =
          catchThrowableOfType(
              VerifyFailedException.class,
              () -> table.admin().verify(table.name(), "deferred", ALL.withRate(2), killer));

      assertThat(told).containsExactly("BASE:b", "BASE:d");
      assertThat(killed.report().versions()).isGreaterThan(4);
      assertThat(VerifiedTable.texts(killed.report()))
          .containsExactly("MISSING " + VerifiedTable.entryOf("a", "v", OLD));
      VerifyPosition position = killed.report().position().get();
      assertThat(position.toString()).isEqualTo("BASE:d");
      VerifyReport rest = table.verify("deferred", ALL.withPosition(position));
      assertThat(VerifiedTable.texts(rest))
          .containsExactly("MISSING " + VerifiedTable.entryOf("g", "v", OLD));
      assertThat(rest.versions()).isEqualTo(4);
      assertThat(rest.isComplete()).isTrue();
    }
  }

  @Test
  void keepsToItsRate() throws IOException {
    try (VerifiedTable table = VerifiedTable.of(List.of("lazy"))) {
      for (int i = 0; i < 20; i++) {
        table.write("row" + i, "v");
      }
      long begun = System.nanoTime();
      assertThat(table.verify("lazy", ALL.withRate(20)).found()).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(2));
    }
  }
}
