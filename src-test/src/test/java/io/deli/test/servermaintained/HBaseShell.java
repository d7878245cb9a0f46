package io.deli.test.servermaintained;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * HBase's own shell in a process of its own, which reads what it is to do from its standard input.
 * The build puts its jars where the tests' class path does not have them.
 */
final class HBaseShell {
  private static final int LONGEST_MINUTES = 5;
  private static final String ROOT = System.getProperty("deli.root");

  private HBaseShell() {}

  /** What it printed, and its exit code. */
  record Outcome(int code, String printed) {}

  /**
   * Runs commands until the first that fails.
   *
   * @param directory with its {@code hbase-site.xml}
   * @param options of the shell
   */
  static Outcome run(Path directory, String commands, String... options)
      throws IOException, InterruptedException {
    Path in = Files.writeString(directory.resolve("commands"), commands);
    Path out = directory.resolve("printed");
    Process process =
        new ProcessBuilder(command(directory, options))
            .directory(directory.toFile())
            .redirectInput(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError("the shell does not end\n" + Files.readString(out));
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return new Outcome(process.exitValue(), Files.readString(out));
  }

  private static List<String> command(Path directory, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio")) {
      command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
    }
    // JRuby's own advice for what is short: nothing is compiled.
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Djruby.compile.mode=OFF", "-Djruby.compile.invokedynamic=false"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add(
        "-Dhbase.ruby.sources=" + Path.of(ROOT, "src-test/target/test-classes/hbase-shell"));
    command.addAll(List.of("-cp", classPath(directory)));
    command.addAll(List.of("org.jruby.JarBootstrapMain", "-n"));
    command.addAll(List.of(options));
    return command;
  }

  /** JRuby first: it has some of HBase's libraries in versions of its own. */
  private static String classPath(Path directory) throws IOException {
    StringBuilder path = new StringBuilder(directory.toString());
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(Path.of(ROOT, "src-test/target/hbase-shell"), "*.jar")) {
      jars.forEach(jar -> path.append(':').append(jar));
    }
    return path.append(':')
        .append(Files.readString(Path.of(ROOT, "deli-tools/target/classpath")).strip())
        .toString();
  }
}
