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

  /** Stands in for the commands: tells with what they were called. */
  private static final String RECORDER =
      """
      set -eu
      function bin/deli { printf '%s\\0' deli "$#" "$@"; cat; printf '\\0'; }
      function bin/lab { printf '%s\\0' lab "$#" "$@"; cat; printf '\\0'; }
      """;

  private ShellExamples() {}

  /** A call of bin/deli or bin/lab. */
  record Call(String program, List<String> arguments, String input) {
    /** The same program in this JVM. */
    Cli cli(String... target) {
      return program.equals("lab") ? Cli.lab(target) : new Cli(target);
    }

    String command() {
      return arguments.get(0);
    }

    /** Whether it is about a cluster of processes. */
    boolean isForCluster() {
      return command().equals("cluster") || arguments.contains("--conf");
    }
  }

  /**
   * Lets bash run the page's blocks that call one of the commands, which are not called but
   * recorded. So quotes, comments, redirections and commands that make files work as for a reader.
   *
   * @param directory the working directory
   */
  static List<Call> run(Path page, Path directory) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder(RECORDER);
    BLOCK
        .matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains("bin/deli") || block.contains("bin/lab"))
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
    while (next + 2 < recorded.size()) {
      int begin = next + 2;
      int end = begin + Integer.parseInt(recorded.get(next + 1));
      calls.add(new Call(recorded.get(next), recorded.subList(begin, end), recorded.get(end)));
      next = end + 1;
    }
    return calls;
  }
}
