package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deli.client.BuildOptions;
import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyFailedException;
import io.deli.client.VerifyOptions;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

/** A verification ends when nobody maintains its index any more. */
class VerifyAmidChangesTest {
  private static final String INDEX = "deferred";
  private static final long OLD = 1_000;

  /** It hears of two rows once it has read two more, and no further. */
  private static final VerifyOptions SLOW = VerifyOptions.DEFAULT.withThreads(1).withRate(2);

  private interface Change {
    void run() throws IOException;
  }

  private static VerifiedTable filled() throws IOException {
    Configuration configuration = MiniCluster.configuration(500);
    // A scan that gets no row ahead.
    configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_CACHING, 1);
    VerifiedTable table = VerifiedTable.of(List.of(INDEX), configuration);
    for (String row : List.of("b", "c", "d", "e")) {
      table.write(row, "v");
    }
    return table;
  }

  private static VerifyFailedException verify(VerifiedTable table, Change change) {
    AtomicBoolean done = new AtomicBoolean();
    ProgressListener amid =
        VerifiedTable.hearing(
            position -> {
              if (done.compareAndSet(false, true)) {
                try {
                  change.run();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    VerifyFailedException failed =
        catchThrowableOfType(
            VerifyFailedException.class,
            () -> table.admin().verify(table.name(), INDEX, SLOW, amid));
    assertThat(failed)
        .hasMessageContaining(
            "index 'deferred' of table %s was rebuilt, disabled or dropped while it was verified"
                .formatted(table.name()));
    assertThat(failed.report().position().get()).hasToString("BASE:");
    return failed;
  }

  @Test
  void rowsWrittenSinceTheIndexWasDisabled_areNotMissing() throws IOException {
    try (VerifiedTable table = filled()) {
      VerifyFailedException failed =
          verify(
              table,
              () -> {
                table.admin().disable(table.name(), INDEX);
                // As a client writes that has heard of it.
                table.writePastDeli("x", "v", OLD);
              });
      assertThat(failed.report().found()).isEmpty();
    }
  }

  @Test
  void aTableThatARebuildDeletes_isNamedAsTheCause() throws IOException {
    try (VerifiedTable table = filled()) {
      verify(
          table,
          () ->
              table
                  .admin()
                  .build(table.name(), INDEX, BuildOptions.DEFAULT, ProgressListener.NONE));
    }
  }

  @Test
  void anIndexThatNobodyMaintainedBefore_isVerified() throws IOException {
    try (VerifiedTable table = filled()) {
      table.admin().disable(table.name(), INDEX);
      table.writePastDeli("x", "v", OLD);
      assertThat(table.verify(INDEX, VerifyOptions.DEFAULT).count(Kind.MISSING)).isEqualTo(1);
    }
  }
}
