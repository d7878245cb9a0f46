package io.deli.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Has HBase's clock in a region server's JVM run ahead or behind, so that the servers of a cluster
 * on one machine differ.
 */
public final class ShiftedClock {
  /**
   * Setting of a cluster: how far the clocks of region servers are apart, in milliseconds. The
   * first runs ahead by half of it, the second behind, and so on.
   */
  public static final String SKEW = "deli.cluster.clock.skew.ms";

  private static final String SEEN = ".seen";

  private ShiftedClock() {}

  static long half(Plan plan) {
    return Long.parseLong(plan.settings().getOrDefault(SKEW, "0")) / 2;
  }

  /** Runs in the server's JVM, which has no other class of these tools. */
  public static final class Agent {
    private Agent() {}

    private static final long PERIOD_MILLIS = 50;
    private static volatile long ahead;

    /** Called by the JVM with a file that tells by how many milliseconds the clock is ahead. */
    public static void premain(String file) throws IOException {
      look(Path.of(file));
      EnvironmentEdgeManager.injectEdge(() -> System.currentTimeMillis() + ahead);
      Thread watch = new Thread(() -> watch(Path.of(file)), "deli-clock");
      watch.setDaemon(true);
      watch.start();
    }

    private static void watch(Path file) {
      while (true) {
        try {
          Thread.sleep(PERIOD_MILLIS);
          look(file);
        } catch (IOException e) {
          // As on a full disk: the clock stays as it is.
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    private static void look(Path file) throws IOException {
      long read = Long.parseLong(Files.readString(file).strip());
      if (read != ahead) {
        ahead = read;
        Files.writeString(Path.of(file + SEEN), Long.toString(read));
      }
    }
  }

  static List<String> options(ClusterDirectory directory, Plan plan, Node node) {
    long half = half(plan);
    int number = plan.nodes(Role.REGION_SERVER).indexOf(node);
    return number < 0 || half == 0
        ? List.of()
        : List.of("-javaagent:" + directory.clock() + "=" + directory.clock(node));
  }

  static void start(ClusterDirectory directory, Plan plan) throws IOException {
    List<Node> nodes = plan.nodes(Role.REGION_SERVER);
    for (Node node : nodes) {
      long half = half(plan);
      set(directory, node, nodes.indexOf(node) % 2 == 0 ? half : -half);
    }
  }

  static void set(ClusterDirectory directory, Node node, long aheadMillis) throws IOException {
    Path file = directory.clock(node);
    Path fresh = Path.of(file + ".new");
    Files.createDirectories(file.getParent());
    Files.writeString(fresh, Long.toString(aheadMillis));
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  static long get(ClusterDirectory directory, Node node) throws IOException {
    return Long.parseLong(Files.readString(directory.clock(node)).strip());
  }

  /** Whether the server goes by what was set. */
  static boolean isSeen(ClusterDirectory directory, Node node) throws IOException {
    Path seen = Path.of(directory.clock(node) + SEEN);
    return Files.exists(seen) && Files.readString(seen).equals(Long.toString(get(directory, node)));
  }

  static void writeJar(ClusterDirectory directory) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", Agent.class.getName());
    String file = Agent.class.getName().replace('.', '/') + ".class";
    try (InputStream in = Agent.class.getClassLoader().getResourceAsStream(file);
        JarOutputStream out =
            new JarOutputStream(Files.newOutputStream(directory.clock()), manifest)) {
      out.putNextEntry(new JarEntry(file));
      in.transferTo(out);
      out.closeEntry();
    }
  }
}
