package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import io.deli.test.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What shows every setting shows it as the code has it. */
class SettingsPageTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));

  @Test
  void thePageIsWhatTheCodeReads() throws IOException {
    Path page = ROOT.resolve("docs").resolve("settings.md");
    List<String> shown =
        Files.readAllLines(page).stream().filter(line -> line.startsWith("| `deli.")).toList();
    assertThat(shown)
        .as("the rows of %s; copy the expected ones if a setting changed", page)
        .isNotEmpty()
        .isEqualTo(DeliSettings.all().stream().map(SettingsPageTest::row).toList());
  }

  @Test
  void theFileIsWhatTheCommandPrints() throws IOException {
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
