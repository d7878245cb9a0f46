package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.tools.Cli.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * DELI as users install it: from the release's archive, or without one from the directory that it
 * is made of. There is an empty home, and of programs what {@code bin/deli} needs: no Maven.
 */
final class Installation {
  private static final int LONGEST_MINUTES = 5;
  private static final List<String> PROGRAMS = List.of("bash", "dirname", "readlink");

  private final Path root;
  private final Path home;
  private final Path programs;
  private final Path conf;

  private Installation(Path directory, Path conf) throws IOException {
    this.root = Files.createDirectory(directory.resolve("installed"));
    this.home = Files.createDirectory(directory.resolve("home"));
    this.programs = Files.createDirectory(directory.resolve("programs"));
    this.conf = conf;
  }

  /**
   * Installs it.
   *
   * @param directory an empty one
   * @param conf that of the HBase which its commands use
   */
  static Installation in(Path directory, Path conf) throws IOException, InterruptedException {
    Installation made = new Installation(directory, conf);
    String archive = System.getProperty("deli.archive", "");
    Path gathered = Path.of(System.getProperty("deli.root"), "deli-dist", "target", "deli");
    // Without the right to write, though that does not stop a test which root runs.
    made.shell(
        archive.isEmpty()
            ? "cp -r '%s/.' . && chmod -R a-w .".formatted(gathered)
            : "tar -xzf '%s' --strip-components=1 && chmod -R a-w .".formatted(archive));
    for (String program : PROGRAMS) {
      made.shell("ln -s \"$(command -v %s)\" '%s'".formatted(program, made.programs));
    }
    return made;
  }

  private void shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command).directory(root.toFile()).inheritIO().start();
    assertThat(process.waitFor()).as(command).isZero();
  }

  Path home() {
    return home;
  }

  /** Every file and directory that is installed, and when it was last written. */
  Map<String, FileTime> files() throws IOException {
    Map<String, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.toList()) {
        files.put(file.toString(), Files.getLastModifiedTime(file));
      }
    }
    return files;
  }

  Outcome run(String... arguments) throws IOException, InterruptedException {
    return runWith("", arguments);
  }

  /** Runs a command line that reads the given standard input. */
  Outcome runWith(String input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(root.resolve("bin").resolve("deli").toString()));
    command.addAll(List.of(arguments));
    Path in = Files.writeString(programs.resolve("in"), input);
    File out = programs.resolve("out").toFile();
    File err = programs.resolve("err").toFile();
    ProcessBuilder deli =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out)
            .redirectError(err);
    deli.environment().keySet().retainAll(List.of("JDK_JAVA_OPTIONS", "LANG"));
    deli.environment().put("PATH", programs.toString());
    deli.environment().put("HOME", home.toString());
    deli.environment().put("JAVA_HOME", System.getProperty("java.home"));
    deli.environment().put("DELI_CONF", conf.toString());
    Process process = deli.start();
    try {
      assertThat(process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).as("%s", command).isTrue();
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return new Outcome(
        process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
  }
}
