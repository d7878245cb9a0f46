package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/settings.md} lists every setting as the code has it. */
class SettingsPageTest {
  @Test
  void thePageIsWhatTheCodeReads() throws IOException, IllegalAccessException {
    Path page = Path.of(System.getProperty("deli.root"), "docs", "settings.md");
    List<String> shown =
        Files.readAllLines(page).stream().filter(line -> line.startsWith("| `deli.")).toList();
    assertThat(shown)
        .as("the rows of %s; copy the expected ones if a setting changed", page)
        .isNotEmpty()
        .isEqualTo(rows());
  }

  private static List<String> rows() throws IllegalAccessException {
    List<String> rows = new ArrayList<>();
    for (Field field : DeliSettings.class.getFields()) {
      Setting<?> setting = (Setting<?>) field.get(null);
      Object fallback = setting.fallback();
      rows.add(
          "| `%s` | %s | %s |"
              .formatted(
                  setting.key(),
                  fallback.equals("") ? "" : "`" + fallback + "`",
                  setting.meaning()));
    }
    rows.sort(null);
    return rows;
  }
}
