package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A network of a cluster's own, in which traffic between two hosts can be dropped.
 *
 * <p>Each node is in a network namespace, with one address, {@code 10.77.N.x}; clients are outside,
 * at {@code 10.77.N.1}. A bridge connects them, in a namespace of its own, where the machine's
 * rules for what it forwards do not hold: a container engine has all dropped that it does not know.
 * Nothing is routed elsewhere. Hosts are known by address, since no names are served here.
 *
 * <p>What a host sends to another is dropped by a permanent entry among its neighbours with an
 * address that no interface has: it leaves in silence, arrives nowhere, and the other direction is
 * not concerned. Nothing else is needed of the machine, neither iptables nor modules.
 *
 * <p>The clients' device is named for N, and remembers the directory of its cluster, by which one
 * that was left behind is known. Namespaces are named for it.
 */
public record NodeNetwork(ClusterDirectory directory, List<Node> nodes, String number) {
  /** Setting of a cluster: {@link #OWN}, and once it was started, the first of its address. */
  public static final String SETTING = "deli.cluster.network";

  public static final String OWN = "own";

  private static final String PREFIX = "10.77.";
  private static final int NETWORKS = 250;
  private static final int FIRST_HOST = 10;
  private static final String DEVICE = "deli";
  private static final Path DEVICES = Path.of("/sys/class/net");
  private static final Path NAMESPACES = Path.of("/run/netns");

  /** Locally administered, and given to no interface. */
  private static final String NOBODY = "02:00:00:00:00:ff";

  private static final String PATIENCE_SECONDS = "1.5";
  private static final int TIMED_OUT = 124;

  /** A host in a namespace, or if that is empty in the one of this process. */
  public record Host(Optional<String> namespace, String address, String device) {}

  static Optional<NodeNetwork> of(ClusterDirectory directory, Plan plan) {
    return Optional.ofNullable(plan.settings().get(SETTING))
        .map(prefix -> new NodeNetwork(directory, plan.nodes(), prefix.substring(PREFIX.length())));
  }

  /** Says what this machine lacks for such a network; empty if nothing. */
  public static Optional<String> lack() {
    String probe = "deliprobe" + ProcessHandle.current().pid() % 1_000_000;
    String script =
        "netns add %1$s%nlink add %1$s type veth peer name eth0 netns %1$s%nlink del %1$s%nnetns del %1$s%n"
            .formatted(probe);
    return Shell.notRoot().or(() -> Shell.feed(script, "ip", "-batch", "-"));
  }

  /** Settings with a network chosen, if one is asked for: by the directory, if that is free. */
  static Map<String, String> choose(ClusterDirectory directory, Map<String, String> settings) {
    if (!OWN.equals(settings.get(SETTING))) {
      return Map.of();
    }
    Optional<String> lack = lack();
    if (lack.isPresent()) {
      throw new Failure(ExitCode.UNAVAILABLE, "no network of the cluster's own: " + lack.get());
    }
    for (int i = 0; i < NETWORKS; i++) {
      int chosen = 1 + Math.floorMod(directory.toString().hashCode() + i, NETWORKS);
      if (owner(DEVICE + chosen).filter(owner -> !owner.equals(directory.toString())).isEmpty()) {
        return Map.of(SETTING, PREFIX + chosen);
      }
    }
    throw new Failure(ExitCode.UNAVAILABLE, "all networks below " + PREFIX + "0.0 are in use");
  }

  static String address(String prefix, int node) {
    return prefix + "." + (FIRST_HOST + node);
  }

  /** The owner of a device; empty if there is no such device. */
  private static Optional<String> owner(String device) {
    Path alias = DEVICES.resolve(device).resolve("ifalias");
    try {
      return Files.exists(alias) ? Optional.of(Files.readString(alias).strip()) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes it, in the place of what an earlier run has left. */
  void up() {
    String owner = owner(device()).orElse(directory.toString());
    if (!owner.equals(directory.toString()) && Files.isDirectory(Path.of(owner))) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "network %s is that of the cluster in %s: stop it first".formatted(device(), owner));
    }
    removeAbandoned();
    down();
    String device = device();
    String bridge = device + "-bridge";
    StringBuilder outside = new StringBuilder("netns add %s%n".formatted(bridge));
    StringBuilder inside = new StringBuilder("link add bridge type bridge%n".formatted());
    outside.append("link add %s type veth peer name clients netns %s%n".formatted(device, bridge));
    outside.append("link set %s alias %s%n".formatted(device, directory));
    outside.append("addr add %s/24 dev %s%n".formatted(clients().address(), device));
    outside.append("link set %s up%n".formatted(device));
    inside.append("link set clients master bridge up%nlink set bridge up%n".formatted());
    for (int i = 0; i < nodes.size(); i++) {
      String namespace = namespace(nodes.get(i));
      outside.append("netns add %s%n".formatted(namespace));
      inside.append("link add n%d type veth peer name eth0 netns %s%n".formatted(i, namespace));
      inside.append("link set n%d master bridge up%n".formatted(i));
    }
    Shell.require(Shell.feed(outside.toString(), "ip", "-batch", "-"));
    Shell.require(Shell.feed(inside.toString(), "ip", "-n", bridge, "-batch", "-"));
    for (Node node : nodes) {
      String own =
          "addr add %s/24 dev eth0%nlink set eth0 up%nlink set lo up%n".formatted(node.host());
      Shell.require(Shell.feed(own, "ip", "-n", namespace(node), "-batch", "-"));
    }
  }

  private static void removeAbandoned() {
    for (int i = 1; i <= NETWORKS; i++) {
      if (owner(DEVICE + i).filter(owner -> !Files.isDirectory(Path.of(owner))).isPresent()) {
        down(DEVICE + i);
      }
    }
  }

  /** Removes what there is of it; no process may be in it. */
  void down() {
    down(device());
  }

  private String device() {
    return DEVICE + number;
  }

  private static void down(String device) {
    if (owner(device).isPresent()) {
      Shell.require(Shell.run("ip", "link", "del", device));
    }
    if (Files.isDirectory(NAMESPACES)) {
      try (Stream<Path> namespaces = Files.list(NAMESPACES)) {
        namespaces
            .map(path -> path.getFileName().toString())
            .filter(name -> name.startsWith(device + "-"))
            .forEach(name -> Shell.require(Shell.run("ip", "netns", "del", name)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private String namespace(Node node) {
    return device() + "-" + node.name();
  }

  List<String> entering(Node node) {
    return List.of("ip", "netns", "exec", namespace(node));
  }

  public Host host(Node node) {
    return new Host(Optional.of(namespace(node)), node.host(), "eth0");
  }

  /** The host of all clients, this process among them. */
  public Host clients() {
    return new Host(Optional.empty(), PREFIX + number + ".1", device());
  }

  /** Drops what one host sends to another, until {@link #heal}. */
  public void drop(Host from, Host to) {
    String device = from.device();
    Shell.require(
        in(from, "replace", to.address(), "lladdr", NOBODY, "dev", device, "nud", "permanent"));
  }

  /** Lets what one host sends to another arrive again; nothing happens if it does. */
  public void heal(Host from, Host to) {
    // It complains if there is no such entry, and then there is nothing to heal.
    Optional<String> unused = in(from, "del", to.address(), "dev", from.device());
  }

  private static Optional<String> in(Host host, String... arguments) {
    List<String> ip = new ArrayList<>(List.of("ip"));
    host.namespace().ifPresent(name -> ip.addAll(List.of("-n", name)));
    ip.add("neigh");
    ip.addAll(List.of(arguments));
    return Shell.run(ip.toArray(String[]::new));
  }

  /**
   * Whether packets go from one host to a port of another and back. They do, too, if the other
   * refuses a connection, for nobody listens.
   */
  public static boolean flows(Host from, String address, int port) {
    String connect =
        "timeout %s bash -c 'exec 3<>/dev/tcp/%s/%d'; test $? -ne %d"
            .formatted(PATIENCE_SECONDS, address, port, TIMED_OUT);
    List<String> command = new ArrayList<>();
    from.namespace().ifPresent(name -> command.addAll(List.of("ip", "netns", "exec", name)));
    command.addAll(List.of("bash", "-c", connect));
    return Shell.run(command.toArray(String[]::new)).isEmpty();
  }

  static boolean answers(Node node, int patienceMillis) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.host(), node.port()), patienceMillis);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
