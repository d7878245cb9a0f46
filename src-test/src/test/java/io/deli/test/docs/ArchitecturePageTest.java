package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each walk through the code names at most ten types, all of which there are. */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));

  /** An item of a list, with the first type that it names. */
  private static final Pattern ITEM = Pattern.compile("(?m)^\\d+\\. [^`]*`([A-Z]\\w+)");

  @ParameterizedTest
  @ValueSource(strings = {"Put", "Query", "Collected entry"})
  void aWalkNamesTypesOfTheCode(String walk) throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("architecture.md"));
    int begin = page.indexOf("\n## " + walk + "\n");
    assertThat(begin).isNotNegative();
    List<String> types =
        ITEM.matcher(page.substring(begin, page.indexOf("\n## ", begin + 1)))
            .results()
            .map(item -> item.group(1))
            .toList();
    assertThat(types)
        .hasSizeBetween(5, 10)
        .doesNotHaveDuplicates()
        .isSubsetOf(types("deli-core", "deli-client", "deli-coprocessor"));
  }

  private static Set<String> types(String... modules) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
      }
    }
    return names;
  }
}
