package io.deli.lab.fault;

import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.cluster.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Does what an operator does to a cluster in use: loads files, takes snapshots, restarts servers
 * one after another, and upgrades DELI and goes back in the order of the manual.
 */
record OperationFaults(FaultTarget target) {
  List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    BulkLoad load = new BulkLoad(target.connection(), target.base());
    all.add(Fault.of("bulk load", random -> load.run()));
    all.add(Fault.of("snapshot", random -> snapshot()));
    target.processes().ifPresent(processes -> addOf(processes, all));
    return all;
  }

  private void addOf(ProcessFaults processes, List<Fault> all) {
    Fault.Action decommission =
        random -> decommission(processes, processes.any(Role.REGION_SERVER, random));
    all.add(Fault.of("decommissioning of a region server", true, decommission));
    all.add(Fault.of("rolling restart", true, random -> restart(processes)));
    target
        .otherJar()
        .map(jar -> Fault.of("upgrade and return", true, random -> upgrade(processes, jar)))
        .ifPresent(all::add);
  }

  /** Taken, cloned to another table that is read, and dropped. */
  private void snapshot() throws IOException {
    TableName base = target.base();
    String snapshot = "deli_snapshot_" + Long.toHexString(System.nanoTime());
    TableName clone = TableName.valueOf(base.getNamespaceAsString(), snapshot);
    try (Admin admin = target.connection().getAdmin()) {
      boolean hasRows = !isEmpty(base);
      admin.snapshot(snapshot, base);
      try {
        admin.cloneSnapshot(snapshot, clone);
        Fault.require(!hasRows || !isEmpty(clone), "the snapshot of %s is empty".formatted(base));
      } finally {
        if (admin.tableExists(clone)) {
          admin.disableTable(clone);
          admin.deleteTable(clone);
        }
        admin.deleteSnapshot(snapshot);
      }
    }
  }

  private boolean isEmpty(TableName name) throws IOException {
    try (Table table = target.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      boolean empty = true;
      while (scanner.next() != null) {
        empty = false;
      }
      return empty;
    }
  }

  /** Its regions are moved away, then it is restarted. */
  private void decommission(ProcessFaults processes, Daemon server) throws IOException {
    try (Admin admin = target.connection().getAdmin()) {
      ServerName name =
          admin.getRegionServers().stream()
              .filter(each -> each.getPort() == server.node().port())
              .findFirst()
              .orElseThrow(() -> new IOException(server.node().name() + " is not live"));
      admin.decommissionRegionServers(List.of(name), true);
      try {
        boolean gone = admin.listDecommissionedRegionServers().contains(name);
        Fault.require(gone, "%s is not decommissioned".formatted(name));
        processes.restart(server);
      } finally {
        admin.recommissionRegionServer(name, List.of());
      }
    }
    processes.awaitService();
  }

  private static void restart(ProcessFaults processes) {
    processes.cluster().daemons(Role.REGION_SERVER).forEach(processes::restart);
  }

  /** The other jar takes the place of the servers' own, region servers first; and back again. */
  private static void upgrade(ProcessFaults processes, Path jar) throws IOException {
    ProcessCluster cluster = processes.cluster();
    Path own = Files.createTempFile("deli-own", ".jar");
    try {
      cluster.readJar(own);
      cluster.replaceJar(jar);
      try {
        restartAll(processes);
      } finally {
        cluster.replaceJar(own);
        restartAll(processes);
      }
    } finally {
      Files.delete(own);
    }
  }

  private static void restartAll(ProcessFaults processes) {
    restart(processes);
    processes.cluster().daemons(Role.MASTER).forEach(processes::restart);
  }
}
