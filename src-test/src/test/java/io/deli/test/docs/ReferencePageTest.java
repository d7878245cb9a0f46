package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.Setting;
import io.deli.lab.LabCommand;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import io.deli.test.tools.DeliProcess;
import io.deli.tools.DeliCommand;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The reference lists commands and settings as the code has them; metrics are MetricsTest's. */
class ReferencePageTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path PAGE = ROOT.resolve("docs").resolve("reference.md");

  /** A command with what it is to work on, or in brackets, in a message. */
  private static final Pattern NAMED = Pattern.compile("(?<!bin/)\\bdeli ([a-z-]+)(?: %|\\))");

  @Test
  void thePageHasTheCommandsOfDeli() throws IOException {
    shows("commands", CommandLines.of(new CommandLine(new DeliCommand(Terminal.system()))));
  }

  @Test
  void thePageHasTheCommandsOfTheLaboratory() throws IOException {
    shows("lab commands", CommandLines.of(new CommandLine(new LabCommand(Terminal.system()))));
  }

  @Test
  void messagesNameCommandsThatThereAre() throws IOException {
    List<String> named = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, "deli-*")) {
      for (Path module : modules) {
        addNamed(module.resolve("src/main/java"), named);
      }
    }
    assertThat(named)
        .hasSizeGreaterThan(20)
        .isSubsetOf(new CommandLine(new DeliCommand(Terminal.system())).getSubcommands().keySet());
  }

  private static void addNamed(Path sources, List<String> named) throws IOException {
    if (Files.isDirectory(sources)) {
      try (Stream<Path> files = Files.walk(sources).filter(Files::isRegularFile)) {
        for (Path file : files.toList()) {
          Matcher command = NAMED.matcher(Files.readString(file));
          command.results().forEach(match -> named.add(match.group(1)));
        }
      }
    }
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
    List<String> expected = Strategies.settings().stream().map(ReferencePageTest::row).toList();
    assertThat(shown)
        .as(
            "the rows of %s; copy what follows if a setting changed:%n%s%n",
            PAGE, String.join("\n", expected))
        .isEqualTo(expected);
  }

  @Test
  void theFileOfSettingsIsWhatTheCommandPrints(@TempDir Path home) throws Exception {
    Path file = ROOT.resolve("conf").resolve("deli-site.xml");
    try (DeliProcess deli = DeliProcess.start(home, List.of("settings", "--site"))) {
      assertThat(deli.awaitEnd()).as(deli.transcript()).isZero();
      assertThat(deli.printed())
          .as("'bin/deli settings --site > conf/deli-site.xml' writes it")
          .isEqualTo(Files.readString(file));
    }
  }

  @Test
  void thePageOfStrategiesHasThePurposeOfEach() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("docs").resolve("strategies.md"));
    // Tests bring strategies of their own.
    List<IndexStrategy> delivered =
        Strategies.all().stream()
            .filter(each -> each.getClass().getName().startsWith("io.deli.strategy."))
            .toList();
    for (IndexStrategy each : delivered) {
      assertThat(lines)
          .filteredOn(line -> line.startsWith("| `%s` |".formatted(each.name())))
          .singleElement()
          .asString()
          .startsWith("| `%s` | %s |".formatted(each.name(), each.purpose()));
    }
  }

  private static String row(Setting<?> setting) {
    String fallback = setting.fallbackText();
    return "| `%s` | %s | %s |"
        .formatted(
            setting.key(), fallback.isEmpty() ? "" : "`" + fallback + "`", setting.meaning());
  }
}
