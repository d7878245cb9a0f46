package io.deli.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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

  private ShiftedClock() {}

  /** Runs in the server's JVM, which has no other class of these tools. */
  public static final class Agent {
    private Agent() {}

    /**
     * Called by the JVM before the server's main method.
     *
     * @param aheadMillis of the true time
     */
    public static void premain(String aheadMillis) {
      long ahead = Long.parseLong(aheadMillis);
      EnvironmentEdgeManager.injectEdge(() -> System.currentTimeMillis() + ahead);
    }
  }

  static List<String> options(ClusterDirectory directory, Plan plan, Node node) {
    long half = Long.parseLong(plan.settings().getOrDefault(SKEW, "0")) / 2;
    int number = plan.nodes(Role.REGION_SERVER).indexOf(node);
    return number < 0 || half == 0
        ? List.of()
        : List.of("-javaagent:" + directory.clock() + "=" + (number % 2 == 0 ? half : -half));
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
