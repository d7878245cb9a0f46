package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.config.DeliSettings;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import io.deli.test.tools.ShellExamples.Call;
import io.deli.tools.ExitCode;
import io.deli.tools.embedded.DataDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every command line that the pages show does what they say, from top to bottom. Those that start
 * something of their own are run by {@link DemoTest} and {@link ClusterCommandTest}.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final String REFERENCE = "docs/reference.md";

  /** What must print rows. */
  private static final Set<String> FINDING = Set.of("query", "get", "indexes", "stats", "collect");

  /** But for a question for a time before the rows, and where there is nothing to do. */
  private static final Set<String> CAUTIOUS = Set.of("--as-of", "--if-garbage");

  private static final Pattern CONTINUATION = Pattern.compile("(?m)^continuation: (\\S+)$");

  @TempDir private static Path directory;
  private static DeliProcess standalone;
  private String continuation = "TOKEN";

  /** By the page's own example of a server that takes any ports. */
  @BeforeAll
  static void start() throws Exception {
    try (InputStream airports =
        DocumentedCommandsTest.class.getResourceAsStream("/openflights/airports.dat")) {
      Files.copy(airports, directory.resolve("airports.dat"));
    }
    List<String> command =
        ShellExamples.run(ROOT.resolve(REFERENCE), directory).stream()
            .filter(call -> call.command().equals("standalone") && call.arguments().size() > 1)
            .findFirst()
            .orElseThrow()
            .arguments();
    standalone = DeliProcess.start(directory, command).awaitLine("Ctrl-C stops it");
    String address =
        new DataDirectory(directory.resolve("data")).running().orElseThrow().zookeeper();
    Configuration site = new Configuration(false);
    site.set(HConstants.ZOOKEEPER_QUORUM, address.substring(0, address.indexOf(':')));
    site.set(HConstants.ZOOKEEPER_CLIENT_PORT, address.substring(address.indexOf(':') + 1));
    // No other client is there for which a build would have to wait.
    site.setLong(DeliSettings.DEFINITIONS_LEASE.key(), 500);
    MiniCluster.writeSite(site, directory);
  }

  @AfterAll
  static void stop() {
    if (standalone != null) {
      standalone.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", REFERENCE, "docs/operations.md", "docs/from-phoenix.md"})
  void work(String page) throws Exception {
    List<Call> calls = ShellExamples.run(ROOT.resolve(page), directory);
    assertThat(calls).extracting(Call::command).contains("create-index", "load", "query");
    for (Call call : calls) {
      if (!call.command().equals("demo") && !call.isForCluster()) {
        run(call);
      }
    }
  }

  private void run(Call call) throws IOException {
    Outcome outcome = call.cli(target(call)).runWith(call.input(), arguments(call));
    String all = call + "\n" + outcome.out() + outcome.err();
    if (call.command().equals("standalone")) {
      assertThat(outcome.err()).as(all).contains("runs on").contains("already");
      assertThat(outcome.code()).as(all).isEqualTo(ExitCode.UNAVAILABLE);
      return;
    }
    assertThat(outcome.code()).as(all).isEqualTo(ExitCode.OK);
    if (FINDING.contains(call.command()) && Collections.disjoint(call.arguments(), CAUTIOUS)) {
      assertThat(outcome.out()).as(all).containsPattern("\\([1-9][0-9]* rows?\\)");
    }
    Matcher token = CONTINUATION.matcher(outcome.out());
    if (token.find()) {
      continuation = token.group(1);
    }
  }

  private static String[] target(Call call) {
    return switch (call.command()) {
      case "settings" -> new String[0];
      case "standalone" -> new String[] {"--data", directory.resolve("data").toString()};
      default -> new String[] {"--conf", directory.toString()};
    };
  }

  /** What takes minutes in the page takes seconds here. */
  private static String shorter(String argument) {
    return argument.matches("[0-9]+") ? "0.1" : argument;
  }

  /** Files are where the shell ran, which is not where this JVM runs. */
  private String[] arguments(Call call) {
    return call.arguments().stream()
        .map(argument -> argument.equals("TOKEN") ? continuation : argument)
        .map(argument -> call.command().equals("torture") ? shorter(argument) : argument)
        .map(
            argument ->
                Files.isRegularFile(directory.resolve(argument))
                    ? directory.resolve(argument).toString()
                    : argument)
        .toArray(String[]::new);
  }
}
