package io.deli.lab.fault;

import io.deli.lab.cluster.Await;
import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.Hdfs;
import io.deli.lab.cluster.Role;
import io.deli.lab.cluster.Volume;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.util.Threads;

/**
 * Full disks, of the data node and of what servers have temporarily, and a slow data node.
 *
 * <p>A full data node refuses blocks: flushes and new logs fail, and servers that cannot go on end
 * themselves. A full temporary directory has a starting server fail to copy DELI's jar from HDFS,
 * and so one is killed meanwhile. A slow data node stands still four fifths of the time.
 */
public record DiskFaults(ProcessFaults processes) {
  private static final Duration FULL = Duration.ofSeconds(10);
  private static final Duration SLOW = Duration.ofSeconds(15);
  private static final Duration NOTICE = Duration.ofSeconds(15);
  private static final Duration RELIEF = Duration.ofMinutes(10);

  /** The directory to which the server of a port copies the jars of coprocessors. */
  private static final String JARS = "local-%d/jars";

  private static final long STANDING_MILLIS = 400;
  private static final long RUNNING_MILLIS = 100;

  public List<Fault> all() {
    return List.of(
        Fault.of("full disk of the data node", true, random -> fillDataNode(DiskFaults::stayFull)),
        Fault.of(
            "full temporary directory at the start of a region server",
            true,
            random ->
                fillTemporary(processes.any(Role.REGION_SERVER, random), DiskFaults::stayFull)),
        Fault.of("slow data node", true, random -> slow()));
  }

  private static void stayFull() {
    Threads.sleepWithoutInterrupt(FULL.toMillis());
  }

  /** Does something while the data node has no space; fails unless HDFS notices, and recovers. */
  public void fillDataNode(Runnable meanwhile) {
    Volume volume = processes.cluster().volumes().get(0);
    Hdfs hdfs = processes.cluster().hdfs();
    try {
      volume.fill();
      Fault.require(
          Await.until(NOTICE, () -> hdfs.lack().isPresent()), "HDFS takes files on a full disk");
      meanwhile.run();
    } finally {
      volume.relieve();
    }
    // For good, a data node does not recover blocks that were cut short by a full disk: it finds
    // their lengths to differ from what it remembers. What starts again looks at what is there.
    processes.cluster().daemons(Role.DATANODE).get(0).kill();
    Fault.require(
        Await.until(RELIEF, () -> hdfs.lack().isEmpty()), "HDFS takes no files with space again");
    processes.awaitService();
  }

  /** Does something while servers have no space for temporary files, one of which is killed. */
  public void fillTemporary(Daemon killed, Runnable meanwhile) {
    Volume volume = processes.cluster().volumes().get(1);
    try {
      killed.kill();
      // It removes what it has copied before when it starts, and would have that space.
      volume.remove(JARS.formatted(killed.node().port()));
      volume.fill();
      meanwhile.run();
    } finally {
      volume.relieve();
    }
    processes.awaitService();
  }

  private void slow() {
    Daemon dataNode = processes.cluster().daemons(Role.DATANODE).get(0);
    long end = System.nanoTime() + SLOW.toNanos();
    int stops = 0;
    try {
      while (System.nanoTime() < end) {
        stops += dataNode.pause() && dataNode.isPaused() ? 1 : 0;
        Threads.sleepWithoutInterrupt(STANDING_MILLIS);
        dataNode.resume();
        Threads.sleepWithoutInterrupt(RUNNING_MILLIS);
      }
    } finally {
      dataNode.resume();
    }
    Fault.require(stops > 1, "the data node was not slowed down");
    processes.awaitService();
  }
}
