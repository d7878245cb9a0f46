package io.deli.test.write;

import io.deli.client.DeliConnection;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.Identities;
import io.deli.client.internal.write.StripedOracle;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A connection whose ports and clocks the test holds. */
final class TestConnection extends DeliConnection {
  private final List<FaultyPorts> ports;
  private final AtomicLong leap;

  private TestConnection(List<FaultyPorts> ports, AtomicLong leap) throws IOException {
    super(
        ConnectionFactory.createConnection(MiniCluster.configuration()),
        new Wiring(
            new Identities(
                new StripedOracle(InstantSource.system()),
                InstantSource.system(),
                () -> System.nanoTime() + leap.get()),
            real -> {
              ports.add(new FaultyPorts(real));
              return ports.get(ports.size() - 1);
            }));
    this.ports = ports;
    this.leap = leap;
  }

  static TestConnection open() throws IOException {
    return new TestConnection(new ArrayList<>(), new AtomicLong());
  }

  /** The ports of all tables; open a table first. */
  FaultyPorts ports() {
    return ports.get(0);
  }

  /** The ports of the mutator that was opened last. */
  FaultyPorts mutatorPorts() {
    return ports.get(ports.size() - 1);
  }

  /** The time that writes measure goes on by so much. */
  void leap(long nanos) {
    leap.addAndGet(nanos);
  }
}
