package io.deli.lab.experiment;

import io.deli.lab.cluster.Shell;
import io.deli.tools.DeliCommand;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.DataDirectory;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;

/**
 * An HBase in a JVM of its own, for the time of an experiment. Its data is thrown away: closing it
 * kills the process and deletes its directory.
 */
final class OwnHBase implements AutoCloseable {
  /** The heap and the settings of HBase with which an experiment's own is started. */
  record ServerNeeds(int heapMegabytes, Map<String, String> settings) {}

  /** The files and the process of an HBase on this machine, as far as they are known. */
  record Premises(Optional<Path> files, OptionalLong process) {
    /** The premises of an HBase that may be anywhere. */
    static final Premises UNKNOWN = new Premises(Optional.empty(), OptionalLong.empty());

    private static final String FROM_DISK = "read_bytes: ";
    private static final Pattern LIVE = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    Optional<Duration> cpu() {
      return process.isPresent()
          ? ProcessHandle.of(process.getAsLong()).flatMap(each -> each.info().totalCpuDuration())
          : Optional.empty();
    }

    /** The bytes of the objects that are reachable; the process collects its garbage for it. */
    OptionalLong liveHeap() throws IOException {
      if (process.isEmpty()) {
        return OptionalLong.empty();
      }
      String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      Process asked =
          new ProcessBuilder(jcmd, Long.toString(process.getAsLong()), "GC.class_histogram")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return OptionalLong.of(
          LIVE.matcher(said)
              .results()
              .mapToLong(total -> Long.parseLong(total.group(1)))
              .findFirst()
              .orElseThrow(() -> new IOException(jcmd + " does not tell the heap: " + said)));
    }

    OptionalLong bytesFromDisk() throws IOException {
      if (process.isEmpty()) {
        return OptionalLong.empty();
      }
      try {
        return Files.readAllLines(Path.of("/proc/%d/io".formatted(process.getAsLong()))).stream()
            .filter(line -> line.startsWith(FROM_DISK))
            .mapToLong(line -> Long.parseLong(line.substring(FROM_DISK.length())))
            .findFirst();
      } catch (NoSuchFileException e) {
        return OptionalLong.empty();
      }
    }
  }

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String DISCHARGER_MILLIS = "1000";

  private final ServerNeeds needs;
  private final Path directory;
  private final DataDirectory data;
  private final OwnProcess server;

  OwnHBase(Path parent, ServerNeeds needs) throws IOException {
    this.needs = needs;
    directory = Files.createTempDirectory(Files.createDirectories(parent), "hbase-");
    data = new DataDirectory(directory.resolve("data"));
    Path output = directory.resolve("hbase.out");
    server =
        OwnProcess.start(
            new ProcessBuilder(command(settings()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()),
            directory);
    if (!server.comesUp(PATIENCE, () -> data.running().isPresent())) {
      String said = String.join("; ", Files.readAllLines(output));
      close();
      throw new Failure(ExitCode.UNAVAILABLE, "the HBase of the experiment did not start: " + said);
    }
  }

  private Path settings() throws IOException {
    Configuration site = new Configuration(false);
    // So that sizes need not wait long for the files of which a compaction made new ones.
    site.set("hbase.hfile.compaction.discharger.interval", DISCHARGER_MILLIS);
    // Regions are those that the arms have in common: small flushes would have HBase split them.
    site.set(HConstants.HBASE_REGION_SPLIT_POLICY_KEY, DisabledRegionSplitPolicy.class.getName());
    needs.settings().forEach(site::set);
    Path conf = Files.createDirectories(directory.resolve("conf"));
    try (OutputStream out = Files.newOutputStream(conf.resolve("deli-site.xml"))) {
      site.writeXml(out);
    }
    return conf;
  }

  private List<String> command(Path conf) {
    List<String> command =
        Shell.java("-XX:+UseParallelGC", "-Xmx" + needs.heapMegabytes() + "m", "-cp");
    command.add(conf + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(DeliCommand.class.getName());
    command.addAll(List.of("standalone", "--data", directory.resolve("data").toString()));
    for (String port : List.of("zookeeper", "ui", "master", "server", "server-ui", "dashboard")) {
      command.addAll(List.of("--" + port + "-port", "0"));
    }
    return command;
  }

  ServerNeeds needs() {
    return needs;
  }

  /** {@code host:port} for clients. */
  String zookeeper() {
    return data.running()
        .map(DataDirectory.Running::zookeeper)
        .orElseThrow(() -> Failure.of("the HBase of the experiment is gone: see " + directory));
  }

  Premises premises() {
    return new Premises(Optional.of(data.hbase()), OptionalLong.of(server.process().pid()));
  }

  @Override
  public void close() {
    server.close();
  }
}
