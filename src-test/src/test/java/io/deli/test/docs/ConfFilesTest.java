package io.deli.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAsyncConnection;
import io.deli.client.DeliConnection;
import io.deli.config.Setting;
import io.deli.strategy.Strategies;
import io.deli.tools.DeliCommand;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The files of {@code conf} can be used as they are. */
class ConfFilesTest {
  private static final Path CONF = Path.of(System.getProperty("deli.root"), "conf");
  private static final Pattern NAMED = Pattern.compile("<name>(deli\\.[^<]*)</name>");
  private static final Map<String, Setting<?>> KNOWN =
      Strategies.settings().stream().collect(Collectors.toMap(Setting::key, setting -> setting));

  @ParameterizedTest
  @ValueSource(strings = {"deli-site.xml", "client/hbase-site.xml", "server/hbase-site.xml"})
  void aFileHasKeysThatThereAreWithTheirDefaults(String name) throws IOException {
    Configuration read = read(CONF.resolve(name));
    List<String> named =
        NAMED.matcher(Files.readString(CONF.resolve(name))).results().map(m -> m.group(1)).toList();
    assertThat(named).isNotEmpty().isSubsetOf(KNOWN.keySet());
    for (String key : named) {
      Setting<?> setting = KNOWN.get(key);
      assertThat((Object) setting.get(read)).as(key).isEqualTo(setting.fallback());
    }
  }

  @Test
  void aClientsFileTakesInTheOthersBesideIt(@TempDir Path directory) throws IOException {
    for (String name : List.of("client/hbase-site.xml", "deli-site.xml")) {
      Path file = CONF.resolve(name);
      Files.copy(file, directory.resolve(file.getFileName()));
    }
    Configuration read = read(directory.resolve("hbase-site.xml"));
    // Hadoop takes an empty value for none.
    assertThat(read.getPropsWithPrefix("deli.").keySet())
        .containsExactlyInAnyOrderElementsOf(
            KNOWN.values().stream()
                .filter(setting -> !setting.fallbackText().isEmpty())
                .map(setting -> setting.key().substring("deli.".length()))
                .toList());
    assertThat(read.getClass("hbase.client.connection.impl", null)).isEqualTo(DeliConnection.class);
    assertThat(read.getClass("hbase.client.async.connection.impl", null))
        .isEqualTo(DeliAsyncConnection.class);
  }

  @Test
  void theLoggerIsThatOfAllClasses() throws IOException {
    Properties properties = new Properties();
    try (Reader text = Files.newBufferedReader(CONF.resolve("log4j2.properties"))) {
      properties.load(text);
    }
    assertThat(DeliConnection.class.getName())
        .startsWith(properties.getProperty("logger.deli.name") + ".");
    assertThat(properties.getProperty("logger.deli.level")).isEqualTo("INFO");
  }

  @Test
  void aJvmTakesTheOptions() throws Exception {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + CONF.resolve("jvm.options"),
                "-version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(java.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(java.exitValue()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deli-standalone", "deli-dashboard"})
  void aUnitStartsACommandWithVariablesThatItReads(String name) throws IOException {
    String unit = Files.readString(CONF.resolve("systemd").resolve(name + ".service"));
    String launcher = Files.readString(CONF.resolveSibling("bin").resolve("deli"));
    Matcher start = Pattern.compile("(?m)^ExecStart=/opt/deli/bin/deli (.*)$").matcher(unit);
    assertThat(start.find()).isTrue();
    new CommandLine(new DeliCommand()).parseArgs(start.group(1).split(" ", -1));
    List<String> variables =
        Pattern.compile("DELI_\\w+(?==)").matcher(unit).results().map(MatchResult::group).toList();
    assertThat(variables).contains("DELI_HOME").allMatch(v -> launcher.contains("${" + v + ":-"));
  }

  private static Configuration read(Path file) {
    Configuration read = new Configuration(false);
    read.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    return read;
  }
}
