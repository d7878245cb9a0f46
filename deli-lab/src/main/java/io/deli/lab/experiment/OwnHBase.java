package io.deli.lab.experiment;

import io.deli.tools.DeliCommand;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.DataDirectory;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * An HBase in a JVM of its own, for the time of an experiment. Its data is thrown away: closing it
 * kills the process and deletes its directory.
 */
final class OwnHBase implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String DISCHARGER_MILLIS = "1000";
  private static final long GLANCE_MILLIS = 100;

  private final Path directory;
  private final OwnProcess server;

  private OwnHBase(Path directory, OwnProcess server) {
    this.directory = directory;
    this.server = server;
  }

  /** On data of its own in a new directory there. */
  static OwnHBase start(Path parent, ServerNeeds needs) throws IOException {
    Path directory = Files.createTempDirectory(Files.createDirectories(parent), "hbase-");
    Path conf = Files.createDirectories(directory.resolve("conf"));
    Configuration site = new Configuration(false);
    // So that sizes need not wait long for the files of which a compaction made new ones.
    site.set("hbase.hfile.compaction.discharger.interval", DISCHARGER_MILLIS);
    needs.settings().forEach(site::set);
    try (OutputStream out = Files.newOutputStream(conf.resolve("deli-site.xml"))) {
      site.writeXml(out);
    }
    OwnHBase hbase =
        new OwnHBase(
            directory,
            OwnProcess.start(
                new ProcessBuilder(command(conf, directory, needs))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("hbase.out").toFile()),
                directory));
    try {
      hbase.await();
      return hbase;
    } catch (IOException | RuntimeException e) {
      hbase.close();
      throw e;
    }
  }

  /** This JVM's own, but for the heap, with the settings ahead on the class path. */
  private static List<String> command(Path conf, Path directory, ServerNeeds needs) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-XX:+UseParallelGC", "-Xmx" + needs.heapMegabytes() + "m"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-cp");
    command.add(conf + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(DeliCommand.class.getName());
    command.addAll(List.of("standalone", "--data", directory.resolve("data").toString()));
    for (String port : List.of("zookeeper", "ui", "master", "server", "server-ui", "dashboard")) {
      command.addAll(List.of("--" + port + "-port", "0"));
    }
    return command;
  }

  private void await() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (running().isEmpty()) {
        if (!server.process().isAlive() || System.nanoTime() > deadline) {
          throw new Failure(
              ExitCode.UNAVAILABLE,
              "the HBase of the experiment did not start: "
                  + String.join("; ", Files.readAllLines(directory.resolve("hbase.out"))));
        }
        server.process().waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private Optional<DataDirectory.Running> running() {
    return new DataDirectory(directory.resolve("data")).running();
  }

  /** {@code host:port} for clients. */
  String zookeeper() {
    return running()
        .map(DataDirectory.Running::zookeeper)
        .orElseThrow(() -> Failure.of("the HBase of the experiment is gone: see " + directory));
  }

  Premises premises() {
    return new Premises(
        Optional.of(new DataDirectory(directory.resolve("data")).hbase()),
        OptionalLong.of(server.process().pid()));
  }

  @Override
  public void close() {
    server.close();
  }
}
