package io.deli.tools.embedded;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.util.function.IntUnaryOperator;

/** The ports of an embedded HBase and its web pages; 0 stands for any free one. */
public record Ports(int zookeeper, int ui, int master, int server, int serverUi) {
  private static final int GREATEST = 65_535;
  public static final Ports ANY = new Ports(0, 0, 0, 0, 0);

  /** Replaces every 0 by a free port; fails if one that was asked for is taken, naming it. */
  public Ports resolve() {
    FreePorts free = new FreePorts();
    take(free, "--zookeeper-port", zookeeper);
    take(free, "--ui-port", ui);
    take(free, "--master-port", master);
    take(free, "--server-port", server);
    take(free, "--server-ui-port", serverUi);
    IntUnaryOperator chosen = port -> port == 0 ? free.next() : port;
    return new Ports(
        chosen.applyAsInt(zookeeper),
        chosen.applyAsInt(ui),
        chosen.applyAsInt(master),
        chosen.applyAsInt(server),
        chosen.applyAsInt(serverUi));
  }

  /** Fails if a port that an option gives is taken, naming the option; 0 never is. */
  public static void requireFree(String option, int port) {
    take(new FreePorts(), option, port);
  }

  /** Fails if there is no such port, naming the option that gives it. */
  public static void requireValid(String option, int port) {
    if (port < 0 || port > GREATEST) {
      throw Failure.usage("%s %d: give a port from 0 to %d".formatted(option, port, GREATEST));
    }
  }

  private static void take(FreePorts free, String option, int port) {
    requireValid(option, port);
    if (port != 0 && !free.take(port)) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "port %d is not free: stop what uses it, or choose another with %s (0 takes any free port)"
              .formatted(port, option));
    }
  }
}
