package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The shell examples of a page, as a shell reads them. */
final class ShellExamples {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");

  /** Stands in for bin/deli: tells how often and with what it was called. */
  private static final String RECORDER =
      """
      set -eu
      function bin/deli { printf '%s\\0' "$#" "$@"; cat; printf '\\0'; }
      """;

  private ShellExamples() {}

  /** A call of bin/deli. */
  record Call(List<String> arguments, String input) {
    String command() {
      return arguments.get(0);
    }

    /** Whether it is about a cluster of processes. */
    boolean isForCluster() {
      return command().equals("cluster") || arguments.contains("--conf");
    }
  }

  /**
   * Lets bash run the page's blocks that call bin/deli, which is not called but recorded. So
   * quotes, comments, redirections and commands that make files work as for a reader.
   *
   * @param directory the working directory
   */
  static List<Call> run(Path page, Path directory) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder(RECORDER);
    BLOCK
        .matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains("bin/deli"))
        .forEach(script::append);
    Process bash =
        new ProcessBuilder("bash", "-c", script.toString())
            .directory(directory.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .start();
    String recorded;
    try (InputStream out = bash.getInputStream()) {
      recorded = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(bash.waitFor()).as("%s: %s", page, recorded).isZero();
    return calls(List.of(recorded.split("\0", -1)));
  }

  private static List<Call> calls(List<String> recorded) {
    List<Call> calls = new ArrayList<>();
    int next = 0;
    while (next + 1 < recorded.size()) {
      int end = next + 1 + Integer.parseInt(recorded.get(next));
      calls.add(new Call(recorded.subList(next + 1, end), recorded.get(end)));
      next = end + 1;
    }
    return calls;
  }
}
