package io.deli.lab.fault;

import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.NodeNetwork;
import io.deli.lab.cluster.NodeNetwork.Host;
import io.deli.lab.cluster.Role;
import io.deli.lab.fault.Fault.StaleReadWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.util.Threads;

/**
 * Partitions of a region server from ZooKeeper, from HDFS, from the master, from the clients and
 * from the other region servers: in both directions, or in one. What is sent is lost in silence;
 * connections stay as they are.
 *
 * <p>They last for half of a ZooKeeper session or for three times one, and heal. A server that
 * loses its session ends itself when it learns of that, and until then it may answer reads by what
 * it knew: {@link StaleReadWindow}.
 */
public record NetworkFaults(ProcessFaults processes) {
  private static final Duration HEALING = Duration.ofSeconds(10);

  /** Whom a region server is cut off from. */
  public enum Peer {
    ZOOKEEPER,
    HDFS,
    MASTER,
    CLIENTS,
    REGION_SERVERS;

    private List<Role> roles() {
      return switch (this) {
        case ZOOKEEPER -> List.of(Role.ZOOKEEPER);
        case HDFS -> List.of(Role.NAMENODE, Role.DATANODE);
        case MASTER -> List.of(Role.MASTER);
        case CLIENTS -> List.of();
        case REGION_SERVERS -> List.of(Role.REGION_SERVER);
      };
    }
  }

  public enum Direction {
    BOTH,
    OUTGOING,
    INCOMING
  }

  /** A cut of the traffic from one host to another; the port is one of the two hosts'. */
  private record Cut(Host from, Host to, Host asking, Daemon asked) {
    boolean flows() {
      return NodeNetwork.flows(asking, asked.node().host(), asked.node().port());
    }
  }

  public List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    for (Peer peer : Peer.values()) {
      for (Direction direction : Direction.values()) {
        all.add(
            new Fault(
                "partition from %s, %s"
                    .formatted(
                        words(peer), direction == Direction.BOTH ? "both ways" : words(direction)),
                true,
                random -> partition(peer, direction, random)));
      }
    }
    return all;
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private Optional<StaleReadWindow> partition(Peer peer, Direction direction, Random random) {
    Daemon server = processes.any(Role.REGION_SERVER, random);
    Duration session = ProcessFaults.SESSION_TIMEOUT;
    Duration length = random.nextBoolean() ? session.dividedBy(2) : session.multipliedBy(3);
    long since = System.nanoTime();
    partition(server, peer, direction, () -> Threads.sleepWithoutInterrupt(length.toMillis()));
    // One that was given up learns of it a moment later, and ends itself.
    Threads.sleepWithoutInterrupt(session.toMillis());
    processes.awaitService();
    return peer == Peer.ZOOKEEPER
        ? Optional.of(new StaleReadWindow(since, since, System.nanoTime()))
        : Optional.empty();
  }

  /**
   * Does something while a region server is cut off; fails unless packets are lost, and then flow.
   */
  public void partition(Daemon server, Peer peer, Direction direction, Runnable meanwhile) {
    NodeNetwork network = processes.cluster().network().orElseThrow();
    List<Cut> cuts = cuts(network, server, peer, direction);
    String ends = server.node().name() + " and " + words(peer);
    try {
      cuts.forEach(cut -> network.drop(cut.from(), cut.to()));
      // A connection takes packets in both directions, so it shows the loss of either.
      Fault.require(
          cuts.stream().noneMatch(Cut::flows), "traffic flows between %s".formatted(ends));
      meanwhile.run();
    } finally {
      cuts.forEach(cut -> network.heal(cut.from(), cut.to()));
    }
    boolean healed = Await.until(HEALING, () -> cuts.stream().allMatch(Cut::flows));
    Fault.require(healed, "no traffic flows again between %s".formatted(ends));
  }

  private List<Cut> cuts(NodeNetwork network, Daemon server, Peer peer, Direction direction) {
    Host own = network.host(server.node());
    List<Cut> cuts = new ArrayList<>();
    if (peer == Peer.CLIENTS) {
      add(cuts, direction, own, network.clients(), network.clients(), server);
    }
    for (Role role : peer.roles()) {
      for (Daemon other : processes.cluster().daemons(role)) {
        if (!other.node().equals(server.node())) {
          add(cuts, direction, own, network.host(other.node()), own, other);
        }
      }
    }
    return cuts;
  }

  private static void add(
      List<Cut> cuts, Direction direction, Host own, Host other, Host asking, Daemon asked) {
    if (direction != Direction.INCOMING) {
      cuts.add(new Cut(own, other, asking, asked));
    }
    if (direction != Direction.OUTGOING) {
      cuts.add(new Cut(other, own, asking, asked));
    }
  }
}
