package io.deli.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.LabCommand;
import io.deli.tools.ExitCode;
import io.deli.tools.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TortureCommandTest {
  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

  private Terminal terminal() {
    PrintStream all = new PrintStream(told, true, StandardCharsets.UTF_8);
    return new Terminal(new ByteArrayInputStream(new byte[0]), all, all, false);
  }

  /** Also where nothing is started: a wrong ZooKeeper would be told of with another exit code. */
  @ParameterizedTest
  @CsvSource({
    "--soak, --kill",
    "--soak, --campaign",
    "--soak, --strategy eager",
    "--soak, --seed 7",
    "--soak, --faults KILLS",
    "--soak, --redefine",
    "--campaign, --minutes 1",
    "--campaign, --strategy eager",
    "--campaign, --seed 7",
    "--campaign, --faults KILLS",
    "--campaign, --redefine",
  })
  void anOptionThatWouldNotBeHeeded_isRefused(String mode, String option) {
    String line = "torture %s %s --zookeeper localhost:1 --cells none".formatted(mode, option);
    assertThat(new LabCommand(terminal()).run(line.split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains(mode + " and " + option.split(" ", 2)[0] + " exclude each other");
  }
}
