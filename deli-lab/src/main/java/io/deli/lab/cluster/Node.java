package io.deli.lab.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A place in the cluster for one process, with ports in the order of {@link Role#portKeys()}. */
public record Node(String name, Role role, String host, List<Integer> ports) {
  /** The host of nodes on this machine, which have no network of their own. */
  static final String LOCAL = "localhost";

  private static final String LOCAL_ADDRESS = "127.0.0.1";

  public Node {
    ports = List.copyOf(ports);
    if (ports.size() != role.portKeys().size()) {
      throw new IllegalArgumentException(name + " has ports " + ports);
    }
  }

  Node at(String another) {
    return new Node(name, role, another, ports);
  }

  boolean isLocal() {
    return host.equals(LOCAL);
  }

  String address() {
    return isLocal() ? LOCAL_ADDRESS : host;
  }

  public int port() {
    return ports.get(0);
  }

  public Optional<Integer> web() {
    return ports.stream().skip(1).findFirst();
  }

  /** Its ports as the settings that its process reads. */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < ports.size(); i++) {
      String key = role.portKeys().get(i);
      settings.put(key, (key.endsWith("address") ? host + ":" : "") + ports.get(i));
    }
    if (role == Role.REGION_SERVER) {
      settings.put("hbase.unsafe.regionserver.hostname", host);
      settings.put("hbase.regionserver.ipc.address", address());
      settings.put("hbase.regionserver.info.bindAddress", address());
    }
    return settings;
  }
}
