package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import io.deli.lab.LabCommand;
import io.deli.test.tools.Cli;
import io.deli.tools.DeliCommand;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The reference lists commands and settings as the code has them; metrics are MetricsTest's. */
class ReferencePageTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path PAGE = ROOT.resolve("docs").resolve("reference.md");

  @Test
  void thePageHasTheCommandsOfDeli() throws IOException {
    shows("commands", CommandLines.of(new CommandLine(new DeliCommand(Terminal.system()))));
  }

  @Test
  void thePageHasTheCommandsOfTheLaboratory() throws IOException {
    shows("lab commands", CommandLines.of(new CommandLine(new LabCommand(Terminal.system()))));
  }

  private static void shows(String mark, List<String> expected) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    List<String> rest = lines.subList(lines.indexOf("<!-- " + mark + " -->") + 1, lines.size());
    assertThat(rest.subList(0, rest.indexOf("<!-- end -->")))
        .as(
            "'%s' of %s; copy what follows if a command changed:%n%s%n",
            mark, PAGE, String.join("\n", expected))
        .isEqualTo(expected);
  }

  @Test
  void thePageHasTheSettingsThatTheCodeReads() throws IOException {
    List<String> shown =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `deli.")).toList();
    List<String> expected = DeliSettings.all().stream().map(ReferencePageTest::row).toList();
    assertThat(shown)
        .as(
            "the rows of %s; copy what follows if a setting changed:%n%s%n",
            PAGE, String.join("\n", expected))
        .isEqualTo(expected);
  }

  @Test
  void theFileOfSettingsIsWhatTheCommandPrints() throws IOException {
    Path file = ROOT.resolve("conf").resolve("deli-site.xml");
    assertThat(new Cli().run("settings", "--site").out())
        .as("'bin/deli settings --site > conf/deli-site.xml' writes it")
        .isEqualTo(Files.readString(file));
  }

  private static String row(Setting<?> setting) {
    String fallback = setting.fallbackText();
    return "| `%s` | %s | %s |"
        .formatted(
            setting.key(), fallback.isEmpty() ? "" : "`" + fallback + "`", setting.meaning());
  }
}
