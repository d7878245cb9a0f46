package io.deli.test.tools;

import io.deli.lab.LabCommand;
import io.deli.tools.DeliCommand;
import io.deli.tools.RootCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * {@code bin/deli} or {@code bin/lab} in a JVM of its own, on the class path that the build wrote
 * for it. What it prints is kept, to be told when it does not do as expected; it is killed at the
 * latest when this is closed, or when a test has waited for it in vain.
 */
public final class DeliProcess implements AutoCloseable {
  /** So that a test which waits for it fails rather than hangs. */
  private static final int LONGEST_WAIT_MINUTES = 10;

  private final Process process;
  private final BufferedReader out;
  private final Path err;
  private final StringBuilder printed = new StringBuilder();

  private DeliProcess(Process process, Path err) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.err = err;
  }

  /**
   * Starts a command line of {@code deli}.
   *
   * @param home for what it keeps by default, and for its error stream
   */
  public static DeliProcess start(Path home, List<String> commandLine) throws IOException {
    return start(home, Map.of(), commandLine);
  }

  /** Starts a command line of {@code deli} with additional environment variables. */
  public static DeliProcess start(
      Path home, Map<String, String> environment, List<String> commandLine) throws IOException {
    return start(home, DeliCommand.class, "deli-tools", environment, commandLine);
  }

  /** Starts a command line of {@code lab}, in the same way. */
  public static DeliProcess lab(Path home, List<String> commandLine) throws IOException {
    return start(home, LabCommand.class, "deli-lab", Map.of(), commandLine);
  }

  private static DeliProcess start(
      Path home,
      Class<? extends RootCommand> root,
      String module,
      Map<String, String> environment,
      List<String> commandLine)
      throws IOException {
    Path built = Path.of(System.getProperty("deli.root"), module, "target");
    String libraries = Files.readString(built.resolve("classpath")).strip();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio")) {
      command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
    }
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Ddeli.home=" + home);
    command.addAll(List.of("-cp", built.resolve("classes") + ":" + libraries));
    command.add(root.getName());
    command.addAll(commandLine);
    Path err = Files.createTempFile(home, "err", ".txt");
    ProcessBuilder process = new ProcessBuilder(command).redirectError(err.toFile());
    process.environment().putAll(environment);
    return new DeliProcess(process.start(), err);
  }

  /** Reads what it prints until a line that starts with the given text. */
  DeliProcess awaitLine(String start) throws IOException {
    CompletableFuture<Void> end = endInTime();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      printed.append(line).append('\n');
      if (line.startsWith(start)) {
        end.cancel(false);
        return this;
      }
    }
    throw new AssertionError("ended without a line '" + start + "...'\n" + transcript());
  }

  private CompletableFuture<Void> endInTime() {
    return CompletableFuture.runAsync(
        process::destroyForcibly,
        CompletableFuture.delayedExecutor(LONGEST_WAIT_MINUTES, TimeUnit.MINUTES));
  }

  /** Waits until it has ended and returns its exit code. */
  public int awaitEnd() throws IOException, InterruptedException {
    CompletableFuture<Void> end = endInTime();
    out.lines().forEach(line -> printed.append(line).append('\n'));
    int code = process.waitFor();
    end.cancel(false);
    return code;
  }

  /** SIGTERM. */
  void terminate() {
    // Process.destroy would close the streams as well.
    process.toHandle().destroy();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** What was read of its output so far. */
  public String printed() {
    return printed.toString();
  }

  /** All that it said, for a failure's message. */
  public String transcript() throws IOException {
    return printed + "--- errors\n" + Files.readString(err);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
