package io.deli.lab.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A place in the cluster for one process.
 *
 * @param name unique, such as {@code regionserver-1}
 * @param ports what it listens on, in the order of {@link Role#portKeys()}
 */
public record Node(String name, Role role, List<Integer> ports) {
  static final String HOST = "localhost";

  public Node {
    ports = List.copyOf(ports);
    if (ports.size() != role.portKeys().size()) {
      throw new IllegalArgumentException(name + " has ports " + ports);
    }
  }

  /** Where it serves. */
  public int port() {
    return ports.get(0);
  }

  /** Its web page, if it has one. */
  public Optional<Integer> web() {
    return ports.stream().skip(1).findFirst();
  }

  /** Its ports as the settings that its process reads. */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < ports.size(); i++) {
      String key = role.portKeys().get(i);
      settings.put(key, (key.endsWith("address") ? HOST + ":" : "") + ports.get(i));
    }
    return settings;
  }
}
