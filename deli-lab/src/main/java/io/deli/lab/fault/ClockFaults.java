package io.deli.lab.fault;

import io.deli.lab.cluster.Node;
import io.deli.lab.cluster.Role;
import io.deli.lab.cluster.ShiftedClock;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.util.Threads;

/**
 * Clocks of region servers that step ahead, step back, and drift.
 *
 * <p>They stay within half of {@link ShiftedClock#SKEW} from the true time: any two are no further
 * apart than a region takes to move, beyond which HBase alone loses writes. Within a server DELI
 * orders what clients wrote however its clock steps; what has its timestamp from HBase, as writes
 * past DELI's client have, is lost in part by a step back as without DELI.
 */
record ClockFaults(ProcessFaults processes) {
  private static final int STEPS = 20;
  private static final long STEP_MILLIS = 250;

  List<Fault> all() {
    return List.of(
        Fault.of("clock steps ahead", random -> step(random, 1)),
        Fault.of("clock steps back", random -> step(random, -1)),
        Fault.of("clock drifts", random -> drift(any(random))));
  }

  private Node any(Random random) {
    return processes.any(Role.REGION_SERVER, random).node();
  }

  private void step(Random random, int sign) throws IOException {
    Node server = any(random);
    long bound = processes.cluster().maxShift();
    if (sign * processes.cluster().shiftOf(server) > 0) {
      // To have room for a step.
      drift(server);
    }
    set(server, sign * (bound - random.nextLong(bound / 2 + 1)));
  }

  /** To the other side of the true time. */
  private void drift(Node server) throws IOException {
    long from = processes.cluster().shiftOf(server);
    long to = (from > 0 ? -1 : 1) * processes.cluster().maxShift();
    for (int i = 1; i <= STEPS; i++) {
      set(server, from + (to - from) * i / STEPS);
      Threads.sleepWithoutInterrupt(STEP_MILLIS);
    }
  }

  private void set(Node server, long aheadMillis) throws IOException {
    boolean set = processes.cluster().shiftClock(server, aheadMillis);
    Fault.require(
        set, "%s does not go by its clock, %d ms ahead".formatted(server.name(), aheadMillis));
  }
}
