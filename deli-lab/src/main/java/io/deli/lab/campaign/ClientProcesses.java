package io.deli.lab.campaign;

import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Shell;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * The client processes of a cell: what dies of them is started again, until they are to end. One
 * that was not killed has died of what it threw.
 */
final class ClientProcesses implements AutoCloseable {
  private static final Duration ENDING = Duration.ofMinutes(2);
  private static final long GLANCE_MILLIS = 100;

  /** The exit code after a kill -9. */
  private static final int KILLED = 128 + 9;

  private record Running(int number, String name, Process process, StreamingJudge.Source source) {}

  private final Path directory;
  private final Path conf;
  private final Optional<String> user;
  private final StreamingJudge judge;
  private final IntFunction<CampaignClient.Plan> plans;
  private final List<Running> running = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final ScheduledExecutorService supervisor = Executors.newSingleThreadScheduledExecutor();
  private int started;

  /**
   * @param user that they are; none for that of this process
   * @param plans of each client by its number
   */
  ClientProcesses(
      Path directory,
      Path conf,
      Optional<String> user,
      StreamingJudge judge,
      IntFunction<CampaignClient.Plan> plans) {
    this.directory = directory;
    this.conf = conf;
    this.user = user;
    this.judge = judge;
    this.plans = plans;
  }

  synchronized void start(int clients) throws IOException {
    for (int i = 0; i < clients; i++) {
      running.add(start(i, plans.apply(i)));
    }
    var unused =
        supervisor.scheduleWithFixedDelay(
            this::restartDead, GLANCE_MILLIS, GLANCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Running start(int number, CampaignClient.Plan plan) throws IOException {
    started++;
    String name = "client-%d-%d".formatted(number, started);
    List<String> command =
        Shell.java(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlog4j.configuration=" + conf.resolve("log4j.properties").toUri(),
            "-Ddeli.log=" + directory.resolve(name + ".log"));
    command.addAll(List.of(CampaignClient.class.getName(), new Gson().toJson(plan), name));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    user.ifPresent(each -> builder.environment().put("HADOOP_USER_NAME", each));
    File output = directory.resolve(name + ".out").toFile();
    StreamingJudge.Source source = judge.follow(directory, name);
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
            .start();
    return new Running(number, name, process, source);
  }

  synchronized List<ProcessHandle> running() {
    return running.stream()
        .map(each -> each.process().toHandle())
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  private synchronized void restartDead() {
    try {
      for (int i = 0; i < running.size(); i++) {
        Running each = running.get(i);
        if (!each.process().isAlive()) {
          ended(each);
          running.set(i, start(each.number(), plans.apply(each.number())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until they have ended, as they were told to; who does not is killed. */
  void awaitEnd() throws InterruptedException {
    supervisor.shutdownNow();
    supervisor.awaitTermination(1, TimeUnit.MINUTES);
    for (Running each : running) {
      if (!each.process().waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
        failures.add("%s did not end: see its output".formatted(each.name()));
        each.process().destroyForcibly().waitFor();
      }
      ended(each);
    }
    running.clear();
  }

  private void ended(Running each) {
    each.source().end();
    int code = each.process().exitValue();
    if (code != 0 && code != KILLED) {
      failures.add(
          "%s ended itself with exit code %d: see its output".formatted(each.name(), code));
    }
  }

  /** The clients that ended themselves before they were to, or did not when they were. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    supervisor.shutdownNow();
    running.forEach(each -> each.process().destroyForcibly());
    Await.until(ENDING, () -> running.stream().noneMatch(each -> each.process().isAlive()));
    running.clear();
  }

  static void clear(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileUtil.fullyDeleteContents(directory.toFile());
  }
}
