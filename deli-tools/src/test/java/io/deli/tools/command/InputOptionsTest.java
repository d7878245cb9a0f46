package io.deli.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class InputOptionsTest {
  @Command
  private static final class Options {
    @Mixin private InputOptions input;
  }

  @Test
  void aQuotedValueIsNeverNull() throws Exception {
    assertThat(fields("a.csv", "id,a,b\n1,\"NA\",NA\n", "--null", "NA"))
        .containsEntry("a", "NA")
        .containsEntry("b", null);
    assertThat(fields("a.csv", "id,a,b\n1,\"\\N\",\\N\n"))
        .containsEntry("a", "\\N")
        .containsEntry("b", null);
    assertThat(fields("a.tsv", "id\ta\tb\n1\tNA\t\"NA\"\n", "--null", "NA"))
        .containsEntry("a", null)
        .containsEntry("b", "\"NA\"");
  }

  private static Map<String, String> fields(String file, String text, String... options)
      throws Exception {
    Options command = new Options();
    new CommandLine(command).parseArgs(options);
    ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return command.input.format(file).reader(in).next().orElseThrow().fields();
  }
}
