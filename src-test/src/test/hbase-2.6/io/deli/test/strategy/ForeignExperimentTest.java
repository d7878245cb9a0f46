package io.deli.test.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment measures a strategy that it does not know beside the others, by its name alone. */
class ForeignExperimentTest {
  @Test
  void isAnArm(@TempDir Path out) throws IOException {
    Outcome outcome =
        Cli.lab("--zookeeper", MiniCluster.zooKeeper())
            .run(
                "experiment",
                "peers",
                "--scale",
                "tiny",
                "--arms",
                "deferred,foreign",
                "--only",
                "fresh",
                "--out",
                out.toString());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("| deferred |", "| foreign |");
    assertThat(Files.readAllLines(out.resolve("peers").resolve("measurements.csv")))
        .anyMatch(line -> line.contains(",0,foreign,\"keys of 2, 4 regions, 2 threads\",fresh,"))
        .anyMatch(line -> line.contains(",0,foreign,wrong answers,") && line.endsWith(",0.0"));
  }
}
