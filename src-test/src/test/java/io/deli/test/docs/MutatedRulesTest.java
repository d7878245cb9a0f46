package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PIT passes over the name of a class that there is not, as after it was renamed. */
class MutatedRulesTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));

  /** The name of a class or package that profile {@code mutation} mutates, or leaves out. */
  private static final Pattern NAMED = Pattern.compile("<param>(io\\.deli\\.[\\w.]*\\w)");

  @ParameterizedTest
  @ValueSource(strings = {"deli-client", "deli-coprocessor", "deli-fileindex"})
  void theProfileNamesTypesOfTheCode(String module) throws IOException {
    String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    List<String> named = NAMED.matcher(pom).results().map(name -> name.group(1)).toList();
    assertThat(named).isNotEmpty().allMatch(name -> isOf(module, name));
  }

  private static boolean isOf(String module, String name) {
    Path sources = ROOT.resolve(module).resolve("src/main/java");
    String path = name.replace('.', '/');
    return Files.isDirectory(sources.resolve(path))
        || Files.exists(sources.resolve(path + ".java"));
  }
}
