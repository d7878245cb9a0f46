package io.deli.test.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Examples of a page that a test class runs: the same lines stand between marks in both. */
final class Examples {
  private static final Pattern MARK = Pattern.compile("(?m)^<!-- (example(?: \\w+)?) -->$");

  private Examples() {}

  /** Asserts that each example of a page is what the test class runs under the same name. */
  static void areRunBy(Class<?> test, String page) throws IOException {
    Path root = Path.of(System.getProperty("deli.root"));
    Path source =
        root.resolve("src-test/src/test/java").resolve(test.getName().replace('.', '/') + ".java");
    List<String> names =
        MARK.matcher(Files.readString(root.resolve(page)))
            .results()
            .map((MatchResult mark) -> mark.group(1))
            .toList();
    assertThat(names).isNotEmpty().doesNotHaveDuplicates();
    for (String name : names) {
      List<String> shown = between(root.resolve(page), "<!-- " + name + " -->", "<!-- end -->");
      shown.removeIf(line -> line.startsWith("```"));
      assertThat(shown)
          .as("%s of %s", name, page)
          .isNotEmpty()
          .isEqualTo(between(source, "// " + name, "// end"));
    }
  }

  private static List<String> between(Path file, String from, String to) throws IOException {
    List<String> lines =
        new ArrayList<>(Files.readAllLines(file).stream().map(String::strip).toList());
    int start = lines.indexOf(from);
    assertThat(start).as("%s in %s", from, file).isNotNegative();
    lines.subList(0, start + 1).clear();
    lines.subList(lines.indexOf(to), lines.size()).clear();
    return lines;
  }
}
