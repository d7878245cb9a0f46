package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.BuildProgress;
import io.deli.client.DeliAdmin;
import io.deli.index.IndexState;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.DeliProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that build an index of a table under load are killed, twice, and the next one goes on.
 * {@code -Ddeli.build.rows=1000000 -Ddeli.build.rate=0} shows how fast one is, with {@code
 * -Ddeli.build.way=--files} one that writes files, see CONTRIBUTING.md.
 */
class KilledBuildTest {
  private static final int ROWS = Integer.getInteger("deli.build.rows", 10_000);
  private static final long RATE = Long.getLong("deli.build.rate", 4_000);

  /** An option for another way to write. */
  private static final Optional<String> WAY =
      Optional.ofNullable(System.getProperty("deli.build.way"));

  /** Of those that are killed, which must not be done before; files are loaded each half minute. */
  private static final long SLOW = Math.max(1, ROWS / (WAY.isPresent() ? 200 : 50));

  private static final int WRITERS = 4;
  private static final int KILLS = 2;
  private static final Pattern FIGURES =
      Pattern.compile("\"rows\": *(\\d+).*\"milliseconds\": *(\\d+)", Pattern.DOTALL);
  private static final Pattern RESUMED = Pattern.compile("\"resumed\": *(\\d+)");

  @TempDir private Path directory;

  @Test
  void buildsUnderLoadThoughKilledTwice() throws Exception {
    try (BuiltTable table = BuiltTable.create("killed", "row2", "row5", "row7")) {
      table.fillSpread(ROWS);
      MiniCluster.utility().flush(table.name());
      double idle = scan(table);
      table.createIndex(BuiltTable.definition("deferred"));
      try (Writers writers = Writers.start(table, WRITERS, ROWS)) {
        double loaded = scan(table);
        for (int kill = 1; kill <= KILLS; kill++) {
          killAt(table, kill / 8.0);
        }
        double rate = finish(table);
        System.out.printf(
            Locale.ROOT,
            "%,d rows built at %,.0f rows/s beside %d writers: %.2f of a plain scan beside them, %.2f"
                + " of one without them%n",
            ROWS,
            rate,
            WRITERS,
            rate / loaded,
            rate / idle);
        writers.end();
      }
      assertThat(table.state()).isEqualTo(IndexState.ACTIVE);
      table.assertTidyWhenCollected();
    }
  }

  /** Rows a second of a plain full scan. */
  private static double scan(BuiltTable table) throws IOException {
    long begun = System.nanoTime();
    long rows = 0;
    try (Table plain = MiniCluster.connection().getTable(table.name());
        ResultScanner scanner = plain.getScanner(new Scan().setCacheBlocks(false))) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows / ((System.nanoTime() - begun) / 1e9);
  }

  private DeliProcess start(BuiltTable table, int threads, long rate) throws IOException {
    Path conf = Files.createDirectories(directory.resolve("conf"));
    BuiltTable.writeSite(conf);
    List<String> command =
        new ArrayList<>(
            List.of(
                "build",
                table.name().getNameAsString(),
                INDEX,
                "--threads",
                Integer.toString(threads),
                "--rate",
                Long.toString(rate),
                "--json",
                "--conf",
                conf.toString()));
    WAY.ifPresent(command::add);
    return DeliProcess.start(directory, command);
  }

  /** By one thread, ranges are done in the order of their rows: about as many as there are rows. */
  private void killAt(BuiltTable table, double share) throws Exception {
    try (DeliProcess process = start(table, 1, SLOW)) {
      await(process, () -> isDone(table, share));
      process.kill();
    }
    assertThat(table.state()).isEqualTo(IndexState.BUILDING);
  }

  private static boolean isDone(BuiltTable table, double share) {
    try {
      BuildProgress progress =
          DeliAdmin.of(MiniCluster.connection())
              .buildProgress(table.name(), INDEX)
              .orElse(new BuildProgress(0, 0));
      return progress.ranges() > 0 && progress.done() >= share * progress.ranges();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(DeliProcess process, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(process.transcript()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Builds to the end; rows a second. */
  private double finish(BuiltTable table) throws Exception {
    try (DeliProcess process = start(table, BuildOptions.DEFAULT.threads(), RATE)) {
      int code = process.awaitEnd();
      assertThat(code).as(process.transcript()).isZero();
      Matcher figures = FIGURES.matcher(process.printed());
      assertThat(figures.find()).as(process.printed()).isTrue();
      long rows = Long.parseLong(figures.group(1));
      assertThat(rows).as("rows left to the last").isPositive();
      Matcher resumed = RESUMED.matcher(process.printed());
      assertThat(resumed.find()).as(process.printed()).isTrue();
      assertThat(Integer.parseInt(resumed.group(1))).as("ranges done by the others").isPositive();
      return rows / (Long.parseLong(figures.group(2)) / 1e3);
    }
  }
}
