package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.lab.experiment.Results.Measurement;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements survive the run that made them, and are never mixed with others. */
class JournalTest {
  private static final Map<String, String> HERE = Map.of("rows", "10", "machine", "2 cores");

  @TempDir private Path directory;

  private static Measurement measurement(int round, double value) {
    return new Measurement("put", round, "lazy, \"folded\"", "PUT latency", "8", "ms", value);
  }

  @Test
  void oneLineEachAndReadAgain() throws IOException {
    Journal.open(directory, HERE).add(List.of(measurement(0, 1.25), measurement(0, 0.1)));
    Journal again = Journal.open(directory, HERE);
    assertThat(again.has("put", 0, "lazy, \"folded\"")).isTrue();
    assertThat(again.has("put", 1, "lazy, \"folded\"")).isFalse();
    assertThat(again.has("get", 0, "lazy, \"folded\"")).isFalse();
    again.add(List.of(measurement(1, 3)));
    assertThat(Files.readAllLines(directory.resolve("measurements.csv")))
        .containsExactly(
            "stage,round,arm,measure,x,unit,value",
            "put,0,\"lazy, \"\"folded\"\"\",PUT latency,8,ms,1.25",
            "put,0,\"lazy, \"\"folded\"\"\",PUT latency,8,ms,0.1",
            "put,1,\"lazy, \"\"folded\"\"\",PUT latency,8,ms,3.0");
    assertThat(
            Journal.open(directory, HERE).results().median("PUT latency", "8", "lazy, \"folded\""))
        .isEqualTo(1.25);
  }

  @Test
  void aTrialThatWasCutOffIsNotThere() throws IOException {
    Journal.open(directory, HERE).add(List.of(measurement(0, 1)));
    Path file = directory.resolve("measurements.csv");
    Path next = directory.resolve("measurements.csv.next");
    Files.writeString(
        next, Files.readString(file) + "put,1,lazy,PUT latency,8,ms,2\nput,1,lazy,PU");
    Journal again = Journal.open(directory, HERE);
    assertThat(again.has("put", 1, "lazy")).isFalse();
    again.add(List.of(measurement(2, 5)));
    assertThat(Files.readAllLines(file)).hasSize(3).last().asString().startsWith("put,2,");
    assertThat(next).doesNotExist();
  }

  @Test
  void refusesMeasurementsUnderOtherCircumstances() throws IOException {
    Journal.open(directory, HERE).add(List.of(measurement(0, 1)));
    assertThatThrownBy(() -> Journal.open(directory, Map.of("rows", "20", "machine", "2 cores")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("rows: 10")
        .hasMessageContaining("rows: 20")
        .hasMessageContaining("--anew");
    Journal.forget(directory);
    Journal anew = Journal.open(directory, Map.of("rows", "20", "machine", "2 cores"));
    assertThat(anew.results().measures()).isEmpty();
  }
}
