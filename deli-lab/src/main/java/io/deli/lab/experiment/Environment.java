package io.deli.lab.experiment;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
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

  /** The commit of the checkout that this class was built in, if it was. */
  private static Optional<String> commit() {
    try {
      Path classes =
          Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return commit(Optional.of(classes.toFile()).filter(File::isDirectory));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /**
   * The commit of the checkout that a directory is in, this process's if it is not given; with a
   * digest of what differs from it, so that no two trees are taken for the same.
   */
  static Optional<String> commit(Optional<File> checkout) {
    try {
      Optional<String> commit =
          git(checkout, "describe", "--always", "--dirty", "--abbrev=10")
              .map(said -> new String(said, StandardCharsets.UTF_8).strip())
              .filter(said -> !said.isEmpty());
      if (commit.isEmpty() || !commit.get().endsWith("-dirty")) {
        return commit;
      }
      return git(checkout, "diff", "HEAD", "--binary")
          .map(changes -> commit.get() + "-" + UUID.nameUUIDFromBytes(changes));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> git(Optional<File> directory, String... arguments)
      throws IOException {
    Process git =
        new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
            .directory(directory.orElse(null))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    byte[] said = git.getInputStream().readAllBytes();
    return git.onExit().join().exitValue() == 0 ? Optional.of(said) : Optional.empty();
  }
}
