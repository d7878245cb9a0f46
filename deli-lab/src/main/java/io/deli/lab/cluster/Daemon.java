package io.deli.lab.cluster;

import io.deli.lab.cluster.Shell.Signal;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The process of a node: started in one JVM and controlled from any, by its process id.
 *
 * <p>An id counts only while the process that has it is the one that was started, so that a stale
 * file never directs a signal at a stranger.
 */
public record Daemon(
    ClusterDirectory directory, Node node, List<String> entering, List<String> options) {
  private static final Duration DEATH = Duration.ofSeconds(20);
  private static final Duration RELEASE = Duration.ofSeconds(5);
  private static final int CONNECT_MILLIS = 500;
  private static final Pattern COMPLAINT = Pattern.compile(" (WARN|ERROR|FATAL) ");
  private static final int COMPLAINT_LENGTH = 400;

  public Daemon {
    entering = List.copyOf(entering);
    options = List.copyOf(options);
  }

  public Path log() {
    return directory.log(node);
  }

  /** The last warnings and errors in its log, to be shown when something is wrong. */
  public List<String> complaints(int lines) {
    try (Stream<String> log = Files.lines(log(), StandardCharsets.ISO_8859_1)) {
      List<String> all =
          log.filter(line -> COMPLAINT.matcher(line).find())
              .map(line -> line.substring(0, Math.min(line.length(), COMPLAINT_LENGTH)))
              .toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException | UncheckedIOException e) {
      return List.of("cannot read " + log() + ": " + e.getMessage());
    }
  }

  Path data() {
    return directory.data(node.name());
  }

  /** Starts the process without waiting until it serves; fails if a port of it is not free. */
  public void start() {
    for (int port : node.isLocal() ? node.ports() : List.<Integer>of()) {
      // A process that has just died may hold it for a moment longer.
      if (!Await.until(RELEASE, () -> FreePorts.isFree(port))) {
        throw new Failure(
            ExitCode.UNAVAILABLE,
            "port %d of %s is not free: stop what uses it, or start a cluster in another directory"
                .formatted(port, node.name()));
      }
    }
    try {
      Process process = launch(node.role().arguments());
      Files.createDirectories(directory.pid(node).getParent());
      Files.writeString(directory.pid(node), Long.toString(process.pid()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs its program to the end with other arguments, and returns the exit code. */
  int runOnce(String... arguments) throws IOException {
    return launch(List.of(arguments)).onExit().join().exitValue();
  }

  private Process launch(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(entering);
    command.addAll(
        Shell.java(
            marker(),
            "-Ddeli.log=" + log(),
            "-Xmx" + node.role().heapMegabytes() + "m",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            // ZooKeeper's would take port 8080.
            "-Dzookeeper.admin.enableServer=false"));
    command.addAll(options);
    command.add(node.role().mainClass());
    if (node.role() == Role.REGION_SERVER) {
      node.settings().forEach((key, value) -> command.add("-D" + key + "=" + value));
    }
    command.addAll(arguments);
    Files.createDirectories(log().getParent());
    ProcessBuilder builder = new ProcessBuilder(command);
    // Not as an argument: too long for a listing of processes, by which they are recognised.
    builder.environment().put("CLASSPATH", Files.readString(directory.classPath()));
    return builder
        .directory(directory.root().toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.output(node).toFile()))
        .start();
  }

  private String marker() {
    return "-Ddeli.node=" + directory.root().resolve(node.name());
  }

  /** The process, if it runs or is paused. */
  public Optional<ProcessHandle> process() {
    try {
      Path file = directory.pid(node);
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).filter(this::isOwn)
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private boolean isOwn(ProcessHandle process) {
    return process.isAlive()
        && Arrays.asList(process.info().arguments().orElse(new String[0])).contains(marker());
  }

  public boolean isRunning() {
    return process().isPresent();
  }

  /** Whether it was {@link #pause paused}; told on Linux only. */
  public boolean isPaused() {
    return process().filter(Signal::isStopped).isPresent();
  }

  /** Whether something accepts connections where it serves. */
  public boolean answers() {
    return NodeNetwork.answers(node, CONNECT_MILLIS) && isRunning();
  }

  /** Ends it at once (SIGKILL); returns when that process is gone. */
  public void kill() {
    process()
        .ifPresent(
            process -> {
              process.destroyForcibly();
              if (!Await.until(DEATH, () -> !process.isAlive())) {
                throw Failure.of(
                    "%s (process %d) does not die".formatted(node.name(), process.pid()));
              }
            });
  }

  /** Asks it to end in order (SIGTERM). */
  public void terminate() {
    process().ifPresent(ProcessHandle::destroy);
  }

  /**
   * Stops it where it is (SIGSTOP), if it is there: it keeps its connections and answers nothing.
   */
  public boolean pause() {
    return process().filter(Signal.STOP::to).isPresent();
  }

  /** Lets it go on after {@link #pause}, if it is still there. */
  public boolean resume() {
    return process().filter(Signal.CONT::to).isPresent();
  }
}
