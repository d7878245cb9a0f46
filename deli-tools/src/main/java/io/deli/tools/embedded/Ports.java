package io.deli.tools.embedded;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;

/** The ports of an embedded HBase and its web pages; 0 stands for any free one. */
public record Ports(int zookeeper, int ui, int master, int server, int serverUi) {
  private static final int GREATEST = 65_535;
  public static final Ports ANY = new Ports(0, 0, 0, 0, 0);

  /** Replaces every 0 by a free port; fails if one that was asked for is taken, naming it. */
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

  /** Fails if a port that an option gives is taken, naming the option; 0 never is. */
  public static void requireFree(String option, int port) {
    release(hold(option, port));
  }

  /** Fails if there is no such port, naming the option that gives it. */
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
