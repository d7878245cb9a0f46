package io.deli.tools.experiment;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Machine and versions, without which a figure says little. */
final class Environment {
  private static final long GIGABYTE = 1L << 30;

  private Environment() {}

  static Map<String, String> of(Connection connection) throws IOException {
    Map<String, String> all = new TreeMap<>();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    all.put(
        "machine",
        "%d cores, %d GB, %s %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                Math.round((double) system.getTotalMemorySize() / GIGABYTE),
                System.getProperty("os.name"),
                System.getProperty("os.arch")));
    all.put("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
    try (Admin admin = connection.getAdmin()) {
      all.put("HBase", admin.getClusterMetrics().getHBaseVersion());
      all.put("region servers", Integer.toString(admin.getRegionServers().size()));
    }
    commit().ifPresent(commit -> all.put("DELI", commit));
    return all;
  }

  /** That of the checkout that this class was built in, if it was. */
  private static Optional<String> commit() {
    try {
      Path classes =
          Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10")
              .directory(classes.toFile().isDirectory() ? classes.toFile() : null)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor() == 0 && !said.isEmpty() ? Optional.of(said) : Optional.empty();
    } catch (IOException | URISyntaxException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
