package io.deli.test.observe;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.Skipping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A browser without a window, where the machine has one. */
final class Chromium {
  private static final int ATTEMPTS = 2;
  private static final int MINUTES = 2;

  private Chromium() {}

  /** Tests run where it is installed; elsewhere they are skipped, and say so. */
  static final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (program().isPresent()) {
        return ConditionEvaluationResult.enabled("there is a Chromium");
      }
      return Skipping.because(
          "there is no Chromium; 'apt-get install chromium' installs one", context);
    }
  }

  private static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .flatMap(
            directory ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * The page as a script has left it.
   *
   * @param done what it has when it is ready; a browser that was too slow is asked again
   */
  static String page(String address, String done) throws IOException, InterruptedException {
    String page = "";
    for (int i = 0; i < ATTEMPTS && !page.contains(done); i++) {
      page = dump(address);
    }
    return page;
  }

  private static String dump(String address) throws IOException, InterruptedException {
    Path temporary = MiniCluster.temporaryDirectory();
    Path profile = Files.createTempDirectory(temporary, "chromium");
    Path out = Files.createTempFile(temporary, "page", ".html");
    Process browser =
        new ProcessBuilder(command(profile, address))
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      browser.waitFor(MINUTES, TimeUnit.MINUTES);
      return Files.readString(out);
    } finally {
      browser.descendants().forEach(ProcessHandle::destroyForcibly);
      browser.destroyForcibly().waitFor();
      FileUtil.fullyDelete(profile.toFile());
      Files.delete(out);
    }
  }

  private static List<String> command(Path profile, String address) {
    List<String> command = new ArrayList<>();
    command.add(program().orElseThrow().toString());
    command.addAll(List.of("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"));
    command.addAll(List.of("--no-first-run", "--disable-background-networking"));
    command.addAll(
        List.of("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"));
    command.add("--user-data-dir=" + profile);
    command.addAll(List.of("--virtual-time-budget=20000", "--dump-dom", address));
    return command;
  }
}
