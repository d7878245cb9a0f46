package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs programs of the operating system, and sends its signals. */
public final class Shell {
  /** A signal that stops a process where it is, or lets it go on. */
  public enum Signal {
    STOP,
    CONT;

    /** Sends it; returns whether there was a process. */
    public boolean to(ProcessHandle process) {
      boolean sent =
          run("kill", "-" + name(), Long.toString(process.pid())).isEmpty() && process.isAlive();
      if (!sent && process.isAlive()) {
        throw Failure.of("cannot send SIG%s to process %d".formatted(name(), process.pid()));
      }
      return sent;
    }

    /** Whether a process stands still; told on Linux only. */
    public static boolean isStopped(ProcessHandle process) {
      Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
      try {
        String text = Files.exists(stat) ? Files.readString(stat) : "";
        return text.startsWith(" T ", text.lastIndexOf(')') + 1);
      } catch (IOException e) {
        return false;
      }
    }
  }

  private Shell() {}

  /** Begins a command that runs Java as this JVM does, with HBase's access to the JDK. */
  public static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("-Djava.net.preferIPv4Stack=true");
    command.addAll(List.of(options));
    return command;
  }

  /** Runs one to its end; what it complained of if it failed, empty if it did not. */
  public static Optional<String> run(String... command) {
    return feed("", command);
  }

  static Optional<String> feed(String input, String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.onExit().join().exitValue();
      return code == 0
          ? Optional.empty()
          : Optional.of("%s: %s (%d)".formatted(String.join(" ", command), output.strip(), code));
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  public static void require(Optional<String> complaint) {
    complaint.ifPresent(
        what -> {
          throw new Failure(ExitCode.UNAVAILABLE, what);
        });
  }

  /** Says what speaks against changing this machine's devices. */
  static Optional<String> notRoot() {
    try {
      int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return user == 0 ? Optional.empty() : Optional.of("not root");
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.of("not on Linux");
    }
  }
}
