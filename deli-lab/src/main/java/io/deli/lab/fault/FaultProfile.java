package io.deli.lab.fault;

import io.deli.lab.cluster.NodeNetwork;
import io.deli.lab.cluster.ShiftedClock;
import io.deli.lab.cluster.Volume;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A named group of faults. */
public enum FaultProfile {
  /** Flushes, compactions, splits, merges, moves and balance of regions. Needs no processes. */
  TABLES,
  /** kill -9 of each kind of process, clients too. */
  KILLS,
  /** SIGSTOP of each kind of process, clients too, for less and for more than a session. */
  STOPS,
  /** Partitions of a region server from each of the others. */
  NETWORK,
  DISK,
  /** Clocks of region servers that step and drift, within {@link ShiftedClock#SKEW}. */
  CLOCKS,
  /** Alterations of tables in use. Needs no processes. */
  SCHEMA,
  /** Index DDL on indexes in use. Needs no processes. */
  DEFINITIONS,
  /** Bulk loads, snapshots, and on processes decommissioning, rolling restarts and upgrades. */
  OPERATIONS,
  /** Each that the machine and the target can bear. */
  ALL;

  /** Between the clocks of region servers: less than a region takes to move. */
  private static final String SKEW_MILLIS = "200";

  private static final String VOLUME_MEGABYTES = "8192";

  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The profiles that it consists of: itself, or of {@link #ALL} each other. */
  private Set<FaultProfile> parts() {
    return this == ALL ? EnumSet.complementOf(EnumSet.of(ALL)) : EnumSet.of(this);
  }

  /** Whether it is about processes, and is nothing without them. */
  public boolean needsProcesses() {
    return EnumSet.of(KILLS, STOPS, NETWORK, DISK, CLOCKS).contains(this);
  }

  /** Settings that a cluster of processes must be started with, beyond those of all faults. */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (FaultProfile part : parts()) {
      if (part.lack().isEmpty()) {
        settings.putAll(part.ownSettings());
      }
    }
    return settings;
  }

  private Map<String, String> ownSettings() {
    return switch (this) {
      case NETWORK ->
          Map.of(
              NodeNetwork.SETTING,
              NodeNetwork.OWN,
              // Else whoever is cut off waits for minutes by default.
              "hbase.ipc.client.socket.timeout.connect",
              "2000",
              "ipc.client.connect.timeout",
              "2000",
              "ipc.client.connect.max.retries.on.timeouts",
              "5",
              // Beyond a stop of the name node: a renewal of leases that takes as long as this has
              // HDFS's client abort the logs of HBase, which goes on waiting for them.
              "ipc.client.rpc-timeout.ms",
              "30000",
              "dfs.client.socket-timeout",
              "5000");
      case DISK ->
          Map.of(
              Volume.SETTING,
              VOLUME_MEGABYTES,
              // For the leases of logs that were cut short, which only a later attempt recovers.
              "hbase.lease.recovery.dfs.timeout",
              "5000");
      case CLOCKS -> Map.of(ShiftedClock.SKEW, SKEW_MILLIS);
      default -> Map.of();
    };
  }

  /**
   * Says what this machine lacks for it; empty if nothing. {@link #ALL} goes without what lacks.
   */
  public Optional<String> lack() {
    return switch (this) {
      case NETWORK -> NodeNetwork.lack();
      case DISK -> Volume.lack();
      default -> Optional.empty();
    };
  }

  private Optional<String> lack(FaultTarget target) {
    return needsProcesses() && target.processes().isEmpty()
        ? Optional.of("the cluster is not one of processes")
        : lack();
  }

  /** Says what it cannot do on this machine or to this target, a line for each. */
  public List<String> skipped(FaultTarget target) {
    List<String> skipped = new ArrayList<>();
    for (FaultProfile part : parts()) {
      part.lack(target)
          .ifPresent(lack -> skipped.add("no faults of %s: %s".formatted(part.title(), lack)));
    }
    if (parts().contains(DEFINITIONS) && target.redefinable().isEmpty()) {
      skipped.add("no faults of definitions: no index may be redefined");
    }
    if (parts().contains(OPERATIONS) && target.otherJar().isEmpty()) {
      skipped.add("no upgrade among operations: there is no other jar");
    }
    return skipped;
  }

  /** Its faults for a target, without {@linkplain #skipped what cannot be done}. */
  public List<Fault> faults(FaultTarget target) {
    List<Fault> faults = new ArrayList<>();
    for (FaultProfile part : parts()) {
      if (part.lack(target).isEmpty()) {
        faults.addAll(part.own(target));
      }
    }
    return faults;
  }

  private List<Fault> own(FaultTarget target) {
    return switch (this) {
      case TABLES -> new TableFaults(target.connection(), target.base()).all();
      case KILLS -> target.processes().orElseThrow().kills(target.clients());
      case STOPS -> target.processes().orElseThrow().stops(target.clients());
      case NETWORK -> new NetworkFaults(target.processes().orElseThrow()).all();
      case DISK -> new DiskFaults(target.processes().orElseThrow()).all();
      case CLOCKS -> new ClockFaults(target.processes().orElseThrow()).all();
      case SCHEMA -> new SchemaFaults(target).all();
      case DEFINITIONS ->
          target.redefinable().isEmpty() ? List.of() : new IndexFaults(target).all();
      case OPERATIONS -> new OperationFaults(target).all();
      case ALL -> throw new IllegalStateException("consists of others");
    };
  }
}
