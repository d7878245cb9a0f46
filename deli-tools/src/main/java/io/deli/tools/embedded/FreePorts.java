package io.deli.tools.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports that nobody listens on, each given once. They lie below those that systems hand out for
 * outgoing connections, since one of these could take the port of a process that restarts.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();

  public int next() {
    while (given.size() < HIGHEST - LOWEST) {
      int port = random.nextInt(LOWEST, HIGHEST);
      if (take(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port is free from " + LOWEST + " to " + HIGHEST);
  }

  /** Gives this very port, if nobody has it; returns whether it did. */
  boolean take(int port) {
    return given.add(port) && isFree(port);
  }

  /** Whether a server could listen on it by now. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // As the servers do: a connection that lingers from an earlier process does not matter.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
