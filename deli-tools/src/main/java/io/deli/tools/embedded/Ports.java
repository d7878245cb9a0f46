package io.deli.tools.embedded;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ports of an embedded HBase; 0 stands for any free one.
 *
 * @param zookeeper where clients connect first
 * @param ui web page of the master
 * @param master RPC of the master
 * @param server RPC of the region server
 * @param serverUi web page of the region server
 */
public record Ports(int zookeeper, int ui, int master, int server, int serverUi) {
  private static final int GREATEST = 65_535;
  public static final Ports ANY = new Ports(0, 0, 0, 0, 0);

  /**
   * Replaces every 0 by a free port.
   *
   * @throws Failure if a port that was asked for is taken, or there is none such, naming it
   */
  public Ports resolve() {
    Map<String, Integer> wanted = new LinkedHashMap<>();
    wanted.put("--zookeeper-port", zookeeper);
    wanted.put("--ui-port", ui);
    wanted.put("--master-port", master);
    wanted.put("--server-port", server);
    wanted.put("--server-ui-port", serverUi);
    int[] free = new int[wanted.size()];
    ServerSocket[] held = new ServerSocket[free.length];
    try {
      int i = 0;
      for (Map.Entry<String, Integer> port : wanted.entrySet()) {
        held[i] = hold(port.getKey(), port.getValue());
        free[i] = held[i].getLocalPort();
        i++;
      }
    } finally {
      for (ServerSocket socket : held) {
        release(socket);
      }
    }
    return new Ports(free[0], free[1], free[2], free[3], free[4]);
  }

  /**
   * Looks whether a port that an option gives can be listened at; 0 always can.
   *
   * @throws Failure if there is no such port, or it is taken, naming the option
   */
  public static void requireFree(String option, int port) {
    release(hold(option, port));
  }

  /**
   * Checks that there is such a port.
   *
   * @throws Failure if not, naming the option that gives it
   */
  public static void requireValid(String option, int port) {
    if (port < 0 || port > GREATEST) {
      throw Failure.usage("%s %d: give a port from 0 to %d".formatted(option, port, GREATEST));
    }
  }

  private static ServerSocket hold(String option, int port) {
    requireValid(option, port);
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException e) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "port %d is not free: stop what uses it, or choose another with %s (0 takes any free port)"
              .formatted(port, option),
          e);
    }
  }

  private static void release(ServerSocket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new Failure(ExitCode.UNAVAILABLE, "cannot probe ports: " + e.getMessage(), e);
    }
  }
}
