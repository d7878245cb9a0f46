package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** The parts of the cluster of a directory in the order of their start, decided once. */
record Plan(List<Node> nodes, Map<String, String> settings) {
  private static final Gson GSON = new Gson();

  Plan {
    settings = Map.copyOf(settings);
    String network = settings.get(NodeNetwork.SETTING);
    List<Node> placed = new ArrayList<>(nodes);
    if (network != null) {
      for (int i = 0; i < placed.size(); i++) {
        placed.set(i, placed.get(i).at(NodeNetwork.address(network, i)));
      }
    }
    nodes = List.copyOf(placed);
  }

  static Plan choose(int regionServers) {
    FreePorts ports = new FreePorts();
    List<Node> nodes = new ArrayList<>();
    for (Role role : Role.values()) {
      int count = role == Role.REGION_SERVER ? regionServers : 1;
      for (int i = 1; i <= count; i++) {
        String name =
            role == Role.REGION_SERVER ? "regionserver-" + i : role.name().toLowerCase(Locale.ROOT);
        List<Integer> own = Stream.generate(ports::next).limit(role.portKeys().size()).toList();
        nodes.add(new Node(name, role, Node.LOCAL, own));
      }
    }
    return new Plan(nodes, Map.of());
  }

  String fileSystem() {
    return "hdfs://" + node(Role.NAMENODE).host() + ":" + node(Role.NAMENODE).port();
  }

  Plan with(Map<String, String> further) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(further);
    return new Plan(nodes, all);
  }

  List<Node> nodes(Role role) {
    return nodes.stream().filter(node -> node.role() == role).toList();
  }

  Node node(Role role) {
    return nodes(role).get(0);
  }

  /** Reads what {@link #write} wrote; empty if there is no such file. */
  static Optional<Plan> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(GSON.fromJson(Files.readString(file), Plan.class));
    } catch (IOException | RuntimeException e) {
      throw new Failure(
          ExitCode.FAILED,
          "cannot read %s (%s): remove the directory of that cluster and start a new one"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  void write(Path file) throws IOException {
    Files.writeString(file, GSON.toJson(this));
  }
}
